import { EventEmitter } from "node:events";
import type pg from "pg";
import { expect, it } from "vitest";
import { PooledDatabase } from "../../../runtime/postgres/pooled-database.ts";
import { sql } from "../../../runtime/sql/index.ts";

/** A connection on which a transaction that was not ended is left, or none. */
class Connection extends EventEmitter {
  readonly processID = 7;
  readonly asked: string[] = [];
  released: boolean | undefined;
  readonly #isLeft: boolean;

  constructor(isLeft: boolean) {
    super();
    this.#isLeft = isLeft;
  }

  async query(query: string | pg.QueryConfig) {
    this.asked.push((typeof query === "string" ? query : query.text).replace(/ .*/, ""));
    if (this.#isLeft) throw Object.assign(new Error("aborted"), { severity: "ERROR", code: "25P02" });
    return { rows: [{ one: 1 }], rowCount: 1, command: "COMMIT" };
  }

  getTransactionStatus() {
    return this.#isLeft ? "E" : "I";
  }

  release(spoiled: boolean) {
    this.released = spoiled;
  }
}

it("a transaction is done on another connection when the one before on this connection could not be ended", async () => {
  const connections = [new Connection(true), new Connection(false)] as const;
  const waiting = [...connections];
  const connect = async () => waiting.shift() as pg.PoolClient & Connection;
  const database = new PooledDatabase({
    pool: { connect },
    connections: 1,
    mostWaiting: 1,
    config: undefined,
    end: async () => undefined,
  });
  const read = database.transaction((queries) => queries.query(sql`SELECT 1 AS one`), { readOnly: true });
  expect(await read).toEqual([{ one: 1 }]);
  expect(connections.map(({ released }) => released)).toEqual([true, false]);
  expect(connections[1].asked).toEqual(["SELECT", "BEGIN", "SELECT", "COMMIT"]);
});
