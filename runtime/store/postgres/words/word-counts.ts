import type { Queries } from "../../../postgres/index.ts";
import { sql } from "../../../sql/index.ts";
import type { Layout, WordColumn } from "../tables/layout.ts";

/** Milliseconds after which the statistics are read again. The engine makes them when a part of the records has changed. */
const period = 300_000;
/** The same where there were none. */
const shortPeriod = 10_000;

/** Estimates how many records have words of one field. */
export interface WordCounts {
  /** About how many records have any of these words, given by their tokens. */
  ofAny(tokens: readonly bigint[]): number;
}

interface Statistics {
  /** The most common words, about a thousand, from the most common one on. */
  readonly tokens: readonly string[];
  /** The share of the records that each of them is in, and then the least and the largest of these shares. */
  readonly shares: readonly number[];
  /** About how many records the table has, of all instances. */
  readonly records: number;
  /** How many different words a record has on average. */
  readonly each: number;
  /** About how many words the vocabulary has, of all fields and instances; 0 or less where that is not known. */
  readonly words: number;
  /** The share of them that are of this field; null where that is not known. */
  readonly own: number | null;
}

/**
 * What the engine's statistics tell of the words of the fields that were searched last. Of every word that these do not list, the engine
 * assumes that one record in two hundred has it, which is many times too much for most words: it then walks through the records in their
 * order until it has found enough with the word, instead of looking the word up.
 */
export class WordStatistics {
  readonly #kept = new Map<string, { readonly readAt: number; readonly counts: WordCounts; readonly period: number }>();

  /** The counts of a field's words, in all instances. Before the engine has made statistics, all words are rare. */
  async counts(
    queries: Pick<Queries, "query">,
    { records, vocabulary }: Layout,
    { name, number }: WordColumn,
  ): Promise<WordCounts> {
    const key = `${records} ${name}`;
    const known = this.#kept.get(key);
    if (known !== undefined && performance.now() - known.readAt < known.period) return known.counts;
    const [found] = await queries.query<Statistics>(
      sql`SELECT s.most_common_elems::text::text[] AS tokens, s.most_common_elem_freqs::float8[] AS shares, c.reltuples::float8 AS records,
          s.elem_count_histogram[array_upper(s.elem_count_histogram, 1)]::float8 AS each,
          coalesce((SELECT v.reltuples FROM pg_class v WHERE v.relnamespace = c.relnamespace AND v.relname = ${plain(vocabulary)}), 0)::float8 AS words,
          (SELECT f.most_common_freqs[array_position(f.most_common_vals::text::integer[], ${number}::integer)]::float8 FROM pg_stats f
            WHERE f.schemaname = s.schemaname AND f.tablename = ${plain(vocabulary)} AND f.attname = 'field') AS own
        FROM pg_stats s JOIN pg_class c ON c.relname = s.tablename AND pg_table_is_visible(c.oid)
          JOIN pg_namespace o ON o.oid = c.relnamespace AND o.nspname = s.schemaname
        WHERE s.tablename = ${plain(records)} AND s.attname = ${plain(name)} AND s.most_common_elems IS NOT NULL`,
    );
    const counts = found === undefined ? { ofAny: () => 0 } : countsOf(found);
    this.#kept.set(key, { readAt: performance.now(), counts, period: found === undefined ? shortPeriod : period });
    return counts;
  }
}

function countsOf({ tokens, shares, records, each, words, own }: Statistics): WordCounts {
  const listed = new Map(tokens.map((token, index) => [token, shares[index] ?? 0]));
  // A word that is not listed is in fewer records than each of the listed ones.
  const other = (shares[tokens.length] ?? 0) / 2;
  const ofListed = [...listed.values()].reduce((sum, share) => sum + share, 0);
  const notListed = words * (own ?? 1) - tokens.length;
  // The words of a record that are not listed are spread over all such words.
  const average = notListed > 0 ? Math.min(other, Math.max(0, each - ofListed) / notListed) : other;
  return {
    ofAny: (wanted) => {
      const known = wanted.flatMap((token) => listed.get(String(token)) ?? []);
      const unknown = wanted.length - known.length;
      // One of several words that are not listed may be about as common as the listed ones, but not all of them are.
      const share = known.reduce((sum, one) => sum + one, unknown === 0 ? 0 : Math.max(other, unknown * average));
      return records * Math.min(1, share);
    },
  };
}

/** A name as the engine keeps it, from the one in SQL. */
function plain(quoted: string): string {
  return quoted.slice(1, -1).replaceAll('""', '"');
}
