import type Database from "better-sqlite3";
import { BoundedMap } from "../base/bounded-map.ts";

export type Connection = Database.Database;

/** A value as a column has it. */
export type SqliteValue = string | number | null;
/** A value that goes to the engine beside the statement. */
type Value = SqliteValue | Buffer;
type Statement = Database.Statement<Value[]>;

/** How many prepared statements are kept. */
const mostStatements = 500;
/** A statement with more characters is not kept. It comes from a long list of one caller and is unlikely to be used again. */
const longestKept = 20_000;

/** Prepares each statement once. Texts of statements depend on plans and forms of queries but not on values, so there are few. */
export class Statements {
  readonly #db: Connection;
  readonly #kept = new BoundedMap<string, Statement>(mostStatements);

  constructor(db: Connection) {
    this.#db = db;
  }

  get(text: string): Statement {
    const prepare = () => this.#db.prepare<Value[]>(text);
    return text.length > longestKept ? prepare() : this.#kept.getOrMake(text, prepare);
  }

  /** Drops all statements. It must be called after tables have changed. */
  clear(): void {
    this.#kept.clear();
  }
}
