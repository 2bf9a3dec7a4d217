import type { Row } from "./output.ts";
import { table } from "./output.ts";

// How answers look: JSON for programs, tables for people.

export interface Form {
  readonly json: boolean;
  readonly ndjson: boolean;
}

type Item = Readonly<Record<string, unknown>>;

/** What an answer is written to. */
export interface Out {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Writes an answer in the form that the flags ask for. Without them it is a table on a terminal, and JSON elsewhere. */
export function writeAnswer(
  out: Out,
  { data, meta }: { readonly data: unknown; readonly meta: unknown },
  { json, ndjson }: Form,
): void {
  if (ndjson) for (const item of Array.isArray(data) ? data : [data]) out.write(`${JSON.stringify(item)}\n`);
  else if (json || out.isTTY !== true) out.write(`${JSON.stringify({ data, meta })}\n`);
  else out.write(`${lines(data, out.columns ?? 100).join("\n")}\n`);
}

function lines(data: unknown, width: number): string[] {
  if (Array.isArray(data)) return data.length === 0 ? ["Nothing was found."] : tableOf(data.filter(isItem), width);
  if (!isItem(data)) return [JSON.stringify(data)];
  const longest = Math.max(...Object.keys(data).map((name) => name.length));
  return Object.entries(data).map(
    ([name, value]) => `${name.padEnd(longest)}  ${cell(value, Math.max(20, width - longest - 2))}`,
  );
}

/** The widest text of a column. */
const widest = 60;

/** As many columns as fit: first those that are short. */
function tableOf(items: readonly Item[], width: number): string[] {
  const columns = [...new Set(items.flatMap(Object.keys))];
  const rows = items.map((item) => Object.fromEntries(columns.map((name) => [name, cell(item[name], widest)])));
  const widthOf = (name: string) => Math.max(name.length, ...rows.map((row) => row[name]?.length ?? 0)) + 2;
  const kept = new Set<string>();
  let used = 0;
  for (const name of columns.filter((one) => !isLong(items, one))) {
    if (used + widthOf(name) > width && kept.size > 0) continue;
    kept.add(name);
    used += widthOf(name);
  }
  const shown = rows.map((row): Row => Object.fromEntries([...kept].map((name) => [name, row[name] ?? ""])));
  const left = columns.filter((name) => !kept.has(name));
  return [
    ...table(shown),
    ...(left.length === 0 ? [] : ["", `Not shown for want of space: ${left.join(", ")} (--json shows all, --fields chooses).`]),
  ];
}

/** A column of objects or of long texts would take the place of all others. */
function isLong(items: readonly Item[], name: string): boolean {
  const values = items.map((item) => item[name]);
  if (items.length === 1 || values.every((value) => value === null || value === undefined)) return false;
  return values.some((value) => (typeof value === "object" && value !== null) || String(value).length > widest);
}

/** A value on one line, without characters that would move the cursor of the terminal or hide text. */
function cell(value: unknown, most: number): string {
  const text = value === null || value === undefined ? "-" : typeof value === "string" ? value : JSON.stringify(value);
  const line = text.replace(/\s+/g, " ").replace(/[\p{Cc}\p{Cf}]/gu, "?");
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

function isItem(value: unknown): value is Item {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
