import type pg from "pg";
import { columnNamed, indexed, indexedLength } from "../../runtime/store/postgres/tables/layout.ts";
import { wordToken } from "../../runtime/store/postgres/words/word-tokens.ts";
import { layout } from "./postgres-server.ts";
import type { Case } from "./search-classes.ts";

/** A statement as a person would write it for these tables, and what that person would tell the planner. */
export interface Statement {
  readonly text: string;
  readonly params: readonly unknown[];
  /** For plans that a person would force. */
  readonly off?: "enable_bitmapscan" | "enable_sort";
}

type Operands = Readonly<Record<string, unknown>>;

/** The conditions of a search as SQL; its words are in the conditions and apart from them. */
class Conditions {
  readonly params: unknown[] = [];
  readonly all: string[] = ["n.inst = 1"];
  readonly words: string[] = [];

  add(filter: object): void {
    for (const [operator, operand] of Object.entries(filter))
      if (operator === "and") for (const one of operand as object[]) this.add(one);
      else for (const [field, value] of Object.entries(operand as Operands)) this.#test(operator, field, value);
  }

  bind(value: unknown): string {
    return `$${this.params.push(value)}`;
  }

  #test(operator: string, field: string, value: unknown): void {
    const column = columnNamed(layout, field);
    const { type, folded, words } = column;
    const name = indexed(column, nameOf(field));
    const operand = () => this.bind(type === "timestamp" ? Date.parse(String(value)) : value);
    const compare = (sign: string) => this.all.push(`${name} ${sign} ${operand()}`);
    switch (operator) {
      case "eq":
        return void compare("=");
      case "neq":
        return void compare("IS DISTINCT FROM");
      case "gte":
        return void compare(">=");
      case "lt":
        return void compare("<");
      case "in":
        return void this.all.push(`${name} = ANY (${operand()})`);
      case "keyword": {
        const test = `n.${words?.name} && ${this.bind([wordToken(1, String(value))])}::bigint[]`;
        this.words.push(test);
        return void this.all.push(test);
      }
      case "like": {
        const text = String(value).replaceAll("%", "").toLowerCase();
        if (String(value).startsWith("%")) return void this.all.push(`lower(${nameOf(field)}) LIKE ${this.bind(`%${text}%`)}`);
        const beginning = `left(n.${folded}, ${indexedLength})`;
        return void this.all.push(`${beginning} >= ${this.bind(text)} AND ${beginning} < ${this.bind(`${text}\u{10ffff}`)}`);
      }
      default:
        throw new Error(`nobody has written ${operator} by hand`);
    }
  }
}

function nameOf(field: string): string {
  return `n.${columnNamed(layout, field).name}`;
}

/** The statements that a person would try for a search; the best of them counts. For fuzzy there is none. */
export function byHand({ search }: Case, after?: readonly [value: unknown, key: string]): Statement[] {
  if (search.filter !== undefined && Object.hasOwn(search.filter, "fuzzy")) return [];
  const [field, direction] = Object.entries(search.sort?.[0] ?? {})[0] ?? [];
  const made = new Conditions();
  made.add(search.filter ?? {});
  let order = "n.k";
  if (field !== undefined && direction !== undefined) {
    const column = columnNamed(layout, field);
    const name = nameOf(field);
    const beginning = indexed(column, name);
    made.all.push(`${name} IS NOT NULL`);
    order =
      column.kind === "key"
        ? `n.k ${direction}`
        : `${beginning} ${direction}, ${beginning === name ? "" : `${name} ${direction}, `}n.k`;
    if (after !== undefined) {
      const [value, key] = [made.bind(after[0]), made.bind(after[1])];
      const sign = direction === "asc" ? ">" : "<";
      made.all.push(`${name} ${sign}= ${value} AND (${name} ${sign} ${value} OR n.k > ${key})`);
    }
  }
  const { all, words, params } = made;
  const from = `"w".found, "w".":body"`;
  const table = `${layout.records} n`;
  const plain = (where: readonly string[]) =>
    `SELECT ${from.replaceAll('"w"', "n")} FROM ${table} WHERE ${where.join(" AND ")} ORDER BY ${order} LIMIT ${search.limit}`;
  const tries: Statement[] = [{ text: plain(all), params }];
  if (words.length > 0 || all.some((one) => one.includes("LIKE")))
    tries.push({ text: plain(all), params, off: "enable_bitmapscan" });
  if (words.length > 0) {
    const others = all.filter((one) => !words.includes(one));
    const found = `SELECT n.* FROM ${table} WHERE n.inst = 1 AND ${words.join(" AND ")} OFFSET 0`;
    tries.push({
      text: `SELECT ${from.replaceAll('"w"', "n")} FROM (${found}) n WHERE ${others.join(" AND ")} ORDER BY ${order} LIMIT ${search.limit}`,
      params,
    });
  }
  return tries;
}

/** Where a page begins: the value and the key of the last row of the pages before. */
export async function rowBefore(client: pg.Client, given: Case): Promise<readonly [number, string] | undefined> {
  const [statement] = byHand(given);
  const [field = ""] = Object.keys(given.search.sort?.[0] ?? {});
  if (given.behind === undefined || statement === undefined) return undefined;
  const text = statement.text
    .replace(/^SELECT .*? FROM/, `SELECT ${nameOf(field)} AS value, n.k FROM`)
    .replace(/LIMIT \d+$/, `LIMIT 1 OFFSET ${given.behind.rows - 1}`);
  const { rows } = await client.query<{ value: number; k: string }>(text, [...statement.params]);
  return rows[0] === undefined ? undefined : [rows[0].value, rows[0].k];
}

/** Runs a statement, and makes the JSON of the answer, as it is sent. The statement is planned once, as a person would have it. */
export async function runByHand(client: pg.Client, { text, params, off }: Statement): Promise<Uint8Array> {
  const query = { name: nameFor(text), text, values: [...params], rowMode: "array" as const };
  if (off !== undefined) await client.query(`SET ${off} = off`);
  try {
    const { rows } = await client.query<[string, string]>(query);
    return Buffer.from(`[${rows.map(([found, body]) => `{"body":${JSON.stringify(body)},${found.slice(1)}`).join()}]`);
  } finally {
    if (off !== undefined) await client.query(`RESET ${off}`);
  }
}

const names = new Map<string, string>();

function nameFor(text: string): string {
  const name = names.get(text) ?? `by_hand_${names.size}`;
  names.set(text, name);
  return name;
}
