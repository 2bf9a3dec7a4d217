import type { Database } from "../../../postgres/index.ts";
import { isAscii } from "../../../search/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { canHaveTrigrams } from "../tables/can-have-trigrams.ts";
import { type Layout, named } from "../tables/layout.ts";

// With two extensions of PostgreSQL, the parts of words have an index of their trigrams: `pg_trgm` makes trigrams of a text, and
// `btree_gin` lets the index begin with the instance. Both belong to PostgreSQL, and the owner of a database may create them. Everything
// works without them, but then parts of words are looked for in all words of a field.

/** What an administrator runs where the user of the service may not. */
export const createExtensions = ["CREATE EXTENSION IF NOT EXISTS pg_trgm", "CREATE EXTENSION IF NOT EXISTS btree_gin"] as const;

/** How many code points a text has at least that has a trigram. The beginning and the end of a word count as one each. */
const leastLength = 3;

/** Which vocabularies have an index of trigrams, as far as this process has seen. */
export class Trigrams {
  readonly #database: Database;
  #can = false;
  /** Whether letters beyond ASCII have trigrams: in some locales, the engine takes them for no letters. */
  #allLetters = false;
  /** The names of the indexes. */
  #usable: ReadonlySet<string> = new Set();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Creates the extensions where they are missing and the user may do that. @returns whether they are there */
  async prepare(): Promise<boolean> {
    if (await this.look()) return true;
    // Whatever the server refuses here is no failure. When another process creates them at the same time, one of both is refused.
    await this.#database.run(raw(`DO $$ BEGIN ${createExtensions.join("; ")}; EXCEPTION WHEN OTHERS THEN NULL; END $$`));
    return this.look();
  }

  /** Looks again at what the database has. @returns whether it has the extensions */
  async look(): Promise<boolean> {
    const can = await canHaveTrigrams(this.#database);
    if (can && !this.#can) {
      const [row] = await this.#database.query<{ all: boolean }>(
        sql`SELECT datctype NOT IN ('C', 'POSIX') AS all FROM pg_database WHERE datname = current_database()`,
      );
      this.#allLetters = row?.all === true;
    }
    this.#can = can;
    const rows = can ? await this.#database.query<{ name: string }>(usableIndexes) : [];
    this.#usable = new Set(rows.map(({ name }) => named(name)));
    return can;
  }

  /** Whether an index finds the words that contain a text. */
  serve({ parts }: Layout, text: string): boolean {
    return this.#usable.has(parts.name) && [...text].length >= leastLength && (this.#allLetters || isAscii(text));
  }
}

const usableIndexes = sql`SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  JOIN pg_opclass o ON o.oid = ANY (i.indclass)
  WHERE i.indisvalid AND o.opcname = 'gin_trgm_ops' AND pg_table_is_visible(c.oid)`;
