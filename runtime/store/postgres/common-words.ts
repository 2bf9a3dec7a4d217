import { type Queries, sql } from "../../postgres/index.ts";
import type { Layout, WordColumn } from "./layout.ts";

/** Milliseconds after which the statistics are read again. The engine makes them when a part of the records has changed. */
const period = 300_000;

interface Kept {
  readonly readAt: number;
  readonly tokens: ReadonlySet<string>;
}

/**
 * The words that the engine's statistics list as the most common ones of a field, about a thousand. Of every other word the engine assumes
 * that one record in two hundred has it, which is many times too much for most words: it then walks through the records in their order
 * until it has found enough with the word, instead of looking the word up.
 */
export class CommonWords {
  readonly #kept = new Map<string, Kept>();

  /** The tokens of the common words of a field, of all instances. */
  async tokens(queries: Queries, { records }: Layout, { name }: WordColumn): Promise<ReadonlySet<string>> {
    const key = `${records} ${name}`;
    const known = this.#kept.get(key);
    if (known !== undefined && performance.now() - known.readAt < period) return known.tokens;
    const rows = await queries.query<{ tokens: string[] }>(
      sql`SELECT s.most_common_elems::text::text[] AS tokens FROM pg_stats s
        WHERE s.schemaname = current_schema() AND s.tablename = ${plain(records)} AND s.attname = ${plain(name)} AND s.most_common_elems IS NOT NULL`,
    );
    const tokens = new Set(rows.flatMap((row) => row.tokens));
    this.#kept.set(key, { readAt: performance.now(), tokens });
    return tokens;
  }
}

/** A name as the engine keeps it, from the one in SQL. */
function plain(quoted: string): string {
  return quoted.slice(1, -1).replaceAll('""', '"');
}
