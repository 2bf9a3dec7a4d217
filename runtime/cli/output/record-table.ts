import { snakeCase } from "../../base/text.ts";
import { cellText, columnValue, type Item, isItem, telling } from "./record-cell.ts";
import { aligned, cut, textWidth } from "./terminal-text.ts";

/** Room that a long column should have at least where fields can be left out, and where they cannot. */
const comfortable = 30;
const narrowest = 6;
const gap = 2;

const first: readonly string[] = telling.map(snakeCase);
/** What tells more than other fields, besides those by which a record is known. */
const second: readonly string[] = ["author", "user", "updated_at", "created_at"];
const longTexts = /^(context|body|message|description|text)$/;
const idsAndAddresses = /(^|_)(id|url|sha|oid)$/;

/**
 * Lines of a table of records.
 *
 * @param fields those that were requested: all of them are shown, in this order. Empty for the most informative that have room.
 * @param width columns of the terminal
 */
export function recordTable(items: readonly Item[], fields: readonly string[], width: number): string[] {
  const hits = items.length > 0 && items.every(isHit);
  const rows = hits ? items.map(hitRow) : items;
  const chosen = fields.length > 0;
  const names = chosen ? [...new Set(hits ? ["score", ...fields, "context"] : fields)] : ranked(rows);
  const columns = names.map((name) => columnOf(rows, name, chosen));
  const shown = chosen ? columns : fitting(columns, width);
  const left = columns.filter((column) => !shown.includes(column)).map(({ name }) => name);
  return [
    ...cutTable(shown, rows.length, width),
    ...(left.length === 0 ? [] : ["", `Not shown for want of space: ${left.join(", ")} (--json shows all, --fields chooses).`]),
  ];
}

/** Lines of a table of rows that all have the same members: all of them in their order. */
export function rowTable(rows: readonly Item[], width: number): string[] {
  const columns = Object.keys(rows[0] ?? {}).map((name) => columnOf(rows, name, false));
  return cutTable(columns, rows.length, width);
}

/** Lines of one record: a field in each. */
export function recordLines(item: Item, fields: readonly string[], width: number): string[] {
  const chosen = fields.length > 0;
  const names = chosen ? [...new Set(fields)] : Object.keys(item);
  const most = Math.max(20, width - Math.max(...names.map(textWidth)) - gap);
  return aligned(names.map((name) => [name, cut(cellText(columnValue(item, chosen ? name.split(".") : [name])), most)]));
}

function cutTable(columns: readonly Column[], count: number, width: number): string[] {
  const most = widest(
    columns.map(({ natural }) => natural),
    width,
  );
  return aligned([
    columns.map(({ name }) => cut(name, most)),
    ...Array.from({ length: count }, (_, row) => columns.map(({ cells }) => cut(cells[row] ?? "", most))),
  ]);
}

interface Column {
  readonly name: string;
  readonly cells: readonly string[];
  /** The room that it takes where nothing is cut. */
  readonly natural: number;
}

function columnOf(rows: readonly Item[], name: string, dotted: boolean): Column {
  const cells = rows.map((row) => cellText(columnValue(row, dotted ? name.split(".") : [name])));
  return { name, cells, natural: cells.reduce((most, cell) => Math.max(most, textWidth(cell)), textWidth(name)) };
}

/** The names of all members, the most informative first; a name that records are not known by needs its text to tell them apart. */
function ranked(rows: readonly Item[]): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const known = names.filter((name) => first.includes(snakeCase(name)));
  const rank = (name: string): number => {
    const plain = snakeCase(name);
    if (plain === "score") return 0;
    if (rows.every((row) => cellText(row[name]) === "-")) return 7;
    if (known.includes(name)) return 1;
    if (longTexts.test(plain)) return plain === "context" || known.length < 2 ? 2 : 5;
    if (second.includes(plain)) return 3;
    return idsAndAddresses.test(plain) ? 6 : 4;
  };
  const within = [...first, ...second];
  const place = (name: string) => within.indexOf(snakeCase(name));
  return names.sort((a, b) => rank(a) - rank(b) || place(a) - place(b));
}

/** The columns that have room, when each gets as much as it needs or is comfortable. */
function fitting(columns: readonly Column[], width: number): readonly Column[] {
  const room = Math.min(comfortable, Math.floor(width / 3));
  let used = -gap;
  return columns.filter(({ natural }) => {
    const needed = used + gap + Math.min(natural, room);
    if (needed > width && used > 0) return false;
    used = needed;
    return true;
  });
}

/** The most room of a column, so that all have room beside each other: the long ones are cut alike. */
function widest(naturals: readonly number[], width: number): number {
  let room = width - gap * (naturals.length - 1);
  const sorted = naturals.toSorted((a, b) => a - b);
  for (const [at, natural] of sorted.entries()) {
    const each = Math.floor(room / (sorted.length - at));
    if (natural > each) return Math.max(each, narrowest);
    room -= natural;
  }
  return Math.max(...naturals, narrowest);
}

/** Whether this is a hit of a search by meaning. */
function isHit(item: Item): boolean {
  return isItem(item["entity"]) && isItem(item["metadata"]) && "score" in item["metadata"];
}

/** A hit as one row: how near it is, the record, and the passage. */
function hitRow({ entity, metadata }: Item): Item {
  const { score, context } = isItem(metadata) ? metadata : {};
  return {
    score: typeof score === "number" ? score.toFixed(3) : score,
    ...(isItem(entity) ? entity : {}),
    context,
  };
}
