import pg from "pg";
import { type Sql, statementOf } from "../sql/index.ts";
import type { Queries, TransactionOptions } from "./database.ts";
import { sendTogether } from "./driver.ts";
import { isConnectionLost, sqlState } from "./failure.ts";
import { isNotKept, type KeptStatements } from "./kept-statements.ts";

/** SQLSTATE of a statement in a transaction in which another one has failed. */
const failedTransaction = "25P02";

/**
 * A connection was of no use for a transaction: it was lost while it waited, as all are when the server restarts, or the COMMIT of the
 * transaction before has failed.
 */
export class NotBegun extends Error {}

/** A session did not keep a statement that it should have. All of the transaction is done again without names. */
export class NotKept extends Error {}

/** A connection for one transaction. */
interface Connection {
  readonly client: pg.ClientBase;
  readonly kept: KeptStatements;
}

/**
 * A transaction that only reads neither waits for the answer to its BEGIN before it sends its first statement, nor for that to its COMMIT
 * before its result is given and the connection is free: each of these is a way to the server and back.
 */
export async function inTransaction<Result>(
  connection: Connection,
  work: (queries: Queries) => Promise<Result>,
  options: TransactionOptions & { readonly deadline: number },
): Promise<Result> {
  const { client } = connection;
  const isReadOnly = options.readOnly === true;
  const statements = new Statements(connection);
  if (isReadOnly) sendTogether(client);
  const begun = client.query(beginning(options)).catch((thrown: unknown) => {
    throw isConnectionLost(thrown) || sqlState(thrown) === failedTransaction ? new NotBegun("", { cause: thrown }) : thrown;
  });
  // Whether it failed is asked below.
  begun.catch(() => undefined);
  if (!isReadOnly) await begun;
  let result: Result;
  try {
    result = await work(statements);
  } catch (thrown) {
    await begun;
    // Where this fails, the connection is closed, and that ends the transaction too.
    await client.query("ROLLBACK").catch(() => undefined);
    throw statements.notKept ?? thrown;
  }
  await begun;
  if (isReadOnly) {
    sendTogether(client);
    // Where this fails, so does the BEGIN of whoever gets the connection next.
    client.query("COMMIT").catch(() => undefined);
    return result;
  }
  const committed = await client.query("COMMIT");
  // The server answers so when a statement had failed, and the work went on all the same.
  if (committed.command !== "COMMIT")
    throw statements.notKept ?? new Error("A transaction with a failed statement was to be committed; it was rolled back.");
  return result;
}

/**
 * What a role or a database may set to another value, although the statements rely on it: numbers that the server sends with all their
 * digits, texts in which a backslash is a character, arrays with nulls, indexes that find all there is, and locks for which a statement
 * waits as long as it may take. A pooler passes no setting of a session on, so each transaction has its own.
 */
const relied =
  "SET LOCAL extra_float_digits = 1; SET LOCAL standard_conforming_strings = on; SET LOCAL array_nulls = on; SET LOCAL gin_fuzzy_search_limit = 0; SET LOCAL lock_timeout = 0";

/**
 * The server itself ends a statement at the deadline, and a transaction that waits for this process longer than that. So the locks of a
 * process that was stopped are free again, and the server does nothing in vain when this process has ended.
 */
function beginning({ isolation, readOnly, deadline }: TransactionOptions & { readonly deadline: number }): string {
  const left = Math.max(1, Math.ceil(Math.min(deadline - performance.now(), 2 ** 31 - 1)));
  const level = (isolation ?? "read committed").toUpperCase();
  const kind = readOnly === true ? " READ ONLY" : "";
  return `BEGIN ISOLATION LEVEL ${level}${kind}; ${relied}; SET LOCAL statement_timeout = ${left}; SET LOCAL idle_in_transaction_session_timeout = ${left}`;
}

/** Sends the statements of one transaction. */
class Statements implements Queries {
  readonly #connection: Connection;
  #hasFailed = false;
  /** Set when the first statement that failed did so because the session did not keep it. Each later one fails because of the first. */
  notKept: NotKept | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async query<Row extends object>(statement: Sql): Promise<Row[]> {
    return (await this.#send((query) => this.#connection.client.query<Row & pg.QueryResultRow>(query), statement)).rows;
  }

  each<Row extends object, Made>(statement: Sql, make: (row: Row) => Made): Promise<Made[]> {
    // Also without values: the other protocol takes several statements in one text.
    return this.#send((query) => madeOfRows(this.#connection.client, { ...query, queryMode: "extended" }, make), statement);
  }

  async run(statement: Sql): Promise<number> {
    return (await this.#send((query) => this.#connection.client.query(query), statement)).rowCount ?? 0;
  }

  async #send<Result>(send: (query: pg.QueryConfig) => Promise<Result>, statement: Sql): Promise<Result> {
    const { client, kept } = this.#connection;
    const { text, values } = statementOf(statement);
    const name = statement.isSteady === true ? kept.nameOf(client, text) : undefined;
    try {
      return await send({ text, values, ...(name === undefined ? {} : { name }) });
    } catch (thrown) {
      if (!this.#hasFailed && name !== undefined && isNotKept(thrown)) this.notKept = new NotKept("", { cause: thrown });
      this.#hasFailed = true;
      throw thrown;
    }
  }
}

function madeOfRows<Row extends object, Made>(
  client: pg.ClientBase,
  config: pg.QueryConfig & { readonly queryMode: "extended" },
  make: (row: Row) => Made,
): Promise<Made[]> {
  return new Promise((resolve, reject) => {
    const made: Made[] = [];
    let failure: { readonly thrown: unknown } | undefined;
    const query = new pg.Query<Row & pg.QueryResultRow>(config);
    query.on("row", (row) => {
      if (failure !== undefined) return;
      // What is thrown here would end the process.
      try {
        made.push(make(row));
      } catch (thrown) {
        failure = { thrown };
      }
    });
    query.on("error", reject);
    query.on("end", () => (failure === undefined ? resolve(made) : reject(failure.thrown)));
    client.query(query);
  });
}
