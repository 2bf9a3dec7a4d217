import type Database from "better-sqlite3";

export type Connection = Database.Database;

/** A value that goes to the engine beside the statement. */
type Value = string | number | null | Buffer;
type Statement = Database.Statement<Value[]>;

/** How many prepared statements are kept. The one whose last use is longest ago is dropped first. */
const mostStatements = 500;
/** A statement with more characters is not kept. It comes from a long list of one caller and is unlikely to be used again. */
const longestKept = 20_000;

/** Prepares each statement once. Texts of statements depend on plans and forms of queries but not on values, so there are few. */
export class Statements {
  readonly #db: Connection;
  readonly #kept = new Map<string, Statement>();

  constructor(db: Connection) {
    this.#db = db;
  }

  get(text: string): Statement {
    const known = this.#kept.get(text);
    if (known !== undefined) {
      this.#kept.delete(text);
      this.#kept.set(text, known);
      return known;
    }
    const made = this.#db.prepare<Value[]>(text);
    if (text.length > longestKept) return made;
    this.#kept.set(text, made);
    if (this.#kept.size > mostStatements) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    return made;
  }

  /** Drops all statements. It must be called after tables have changed. */
  clear(): void {
    this.#kept.clear();
  }
}
