import { binaryArray, type Queries } from "../../../postgres/index.ts";
import { raw, type Sql, sql } from "../../../sql/index.ts";
import { noteChanges } from "../tables/layout-rows.ts";
import type { WriteTarget } from "../tables/target.ts";
import type { FieldWord, KnownWords } from "../words/known-words.ts";
import { insertStatement } from "./row-statement.ts";
import { type Row, shortToken } from "./rows.ts";

/** How many rows one statement writes. While the server does that, the next ones are made here. */
export const rowsInStatement = 200;

/** What rows are written to. */
export type Written = Pick<WriteTarget, "layout" | "inst" | "revision" | "followers">;

/** Inserts rows, or replaces those that are stored. @returns the words that were sent to the vocabulary */
export async function writeRows(
  queries: Queries,
  target: Written,
  rows: readonly Row[],
  known: KnownWords,
): Promise<FieldWord[]> {
  const writer = new RowWriter(queries, target, known);
  for (let from = 0; from < rows.length; from += rowsInStatement) await writer.write(rows.slice(from, from + rowsInStatement));
  return writer.end();
}

/** Writes the rows of one transaction, which must have locked the entity: while the server writes some, the next ones are made here. */
export class RowWriter {
  readonly #queries: Queries;
  readonly #target: Written;
  readonly #known: KnownWords;
  readonly #words = new Map<string, FieldWord>();
  #running: Promise<unknown> = Promise.resolve();

  /** @param known words that need not be added to the vocabulary */
  constructor(queries: Queries, target: Written, known: KnownWords) {
    this.#queries = queries;
    this.#target = target;
    this.#known = known;
  }

  /**
   * Resolves when what was given before is written.
   *
   * @param others statements that write what else there is of these rows
   */
  async write(rows: readonly Row[], others: readonly Sql[] = []): Promise<void> {
    const statements = [...others];
    if (rows.length > 0) {
      const { layout, inst, followers } = this.#target;
      const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
      const keys = sorted.map(({ key }) => key);
      statements.push(insertStatement(layout, inst, sorted), ...noteChanges({ inst, followers }, keys));
      for (const one of this.#known.unknown(rows)) this.#words.set(`${one.field} ${one.word}`, one);
    }
    await this.#running;
    this.#running = Promise.all(statements.map((one) => this.#queries.run(one)));
    // Whether it failed is asked by the next call.
    this.#running.catch(() => undefined);
  }

  /** Writes the rest. @returns the words that were sent to the vocabulary */
  async end(): Promise<FieldWord[]> {
    await this.#running;
    const words = [...this.#words.values()];
    await addWords(this.#queries, this.#target, words);
    return words;
  }
}

async function addWords(queries: Queries, { layout, inst, revision }: Written, words: readonly FieldWord[]): Promise<void> {
  if (words.length === 0) return;
  const tokens = words.map(({ word }) => shortToken(word));
  const texts = words.map(({ word }, at) => (tokens[at] === word ? null : word));
  const decomposed = words.map(({ word }) => decomposedUnlessSame(word));
  const fields = words.map(({ field }) => field);
  await queries.run(
    sql`INSERT INTO ${raw(layout.vocabulary)} (inst, field, token, word, decomposed, revision)
      SELECT ${inst}::integer, r.field, r.token, r.word, r.decomposed, ${revision}::bigint
      FROM unnest(${binaryArray("integer", fields)}::integer[], ${binaryArray("text", tokens)}::text[], ${binaryArray("text", texts)}::text[], ${binaryArray("text", decomposed)}::text[])
        AS r (field, token, word, decomposed)
      ORDER BY r.field, r.token COLLATE "C" ON CONFLICT DO NOTHING`,
  );
}

function decomposedUnlessSame(word: string): string | null {
  const decomposed = word.normalize("NFD");
  return decomposed === word ? null : decomposed;
}
