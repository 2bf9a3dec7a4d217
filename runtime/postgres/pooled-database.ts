import type pg from "pg";
import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";
import { type Turn, Turns } from "../base/turns.ts";
import { type Sql, statementOf } from "../sql/index.ts";
import type { DatabaseAddress } from "./address.ts";
import { cancelQuery } from "./cancel.ts";
import type { Database, Queries, QueryOptions, TransactionOptions } from "./database.ts";
import {
  connectFailure,
  databaseFailure,
  fullDatabase,
  isCancelled,
  isConflict,
  isConnectionLost,
  unavailable,
} from "./failure.ts";
import { KeptStatements } from "./kept-statements.ts";
import { inTransaction, NotBegun, NotKept } from "./transaction.ts";

/** Milliseconds that a statement or a transaction may take when its caller gives no deadline. */
const patience = 30_000;
/** How often a transaction is tried that other transactions are in the way of. */
const mostAttempts = 6;
/** Milliseconds before the second try; before each further one twice as many, up to as many more at random. */
const firstPause = 10;

export interface PooledDatabaseOptions {
  readonly pool: Pick<pg.Pool, "connect">;
  /** The most connections of the pool. */
  readonly connections: number;
  /** The most statements that wait for a connection. */
  readonly mostWaiting: number;
  /** How requests to cancel reach the server; undefined where it takes none. */
  readonly config: DatabaseAddress["config"] | undefined;
  readonly end: () => Promise<void>;
}

interface Limits extends QueryOptions {
  readonly deadline: number;
  readonly late: () => TenonError;
}

export class PooledDatabase implements Database {
  readonly connections: number;
  readonly #options: PooledDatabaseOptions;
  readonly #turns: Turns;
  readonly #kept = new KeptStatements();
  #closing = false;

  constructor(options: PooledDatabaseOptions) {
    this.#options = options;
    this.connections = options.connections;
    this.#turns = connectionTurns(options.connections, options.mostWaiting);
  }

  query<Row extends object>(statement: Sql, options: QueryOptions = {}): Promise<Row[]> {
    return this.transaction((queries) => queries.query<Row>(statement), options);
  }

  run(statement: Sql, options: QueryOptions = {}): Promise<number> {
    return this.transaction((queries) => queries.run(statement), options);
  }

  async transaction<Result>(work: (queries: Queries) => Promise<Result>, options: TransactionOptions = {}): Promise<Result> {
    const limits = limitsOf(options);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#lend(limits, (client) => {
          this.#kept.prepare(client);
          return inTransaction({ client, kept: this.#kept }, work, { ...options, ...limits });
        });
      } catch (thrown) {
        if (thrown instanceof NotKept) this.#kept.giveUp();
        const isEarly = thrown instanceof NotBegun || thrown instanceof NotKept;
        const again = isEarly || isConflict(thrown) || (options.repeatable === true && isConnectionLost(thrown));
        const wait = firstPause * 2 ** (attempt - 1) * (1 + Math.random());
        if (!again || attempt === mostAttempts || performance.now() + wait >= limits.deadline) throw failureOf(thrown, limits);
        await pause(wait);
      }
    }
  }

  async alone(statement: Sql, options: QueryOptions = {}): Promise<void> {
    const limits = { ...limitsOf(options), deadline: options.deadline ?? Number.POSITIVE_INFINITY };
    const { text, values } = statementOf(statement);
    const run = async (client: pg.PoolClient) => {
      // What is set for the role would end the making of a large index each time. A pooler would keep the setting for others.
      if (await this.#kept.isDirect(client)) await client.query("SET statement_timeout = 0");
      await client.query(text, values);
    };
    await this.#lend(limits, run).catch((thrown: unknown) => {
      throw failureOf(thrown, limits);
    });
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    await this.#options.end();
  }

  /** Does work on a connection of its own, and closes the connection where it may be in a state that the next one must not find. */
  async #lend<Result>(limits: Limits, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    this.#admit(limits);
    const turn = this.#turns.take(limits.caller?.id ?? "");
    const client = await this.#connect(limits, turn);
    const ended = Promise.withResolvers<never>();
    // It may reject while nobody waits for it, which must not end the process.
    ended.promise.catch(() => undefined);
    let spoiled = false;
    const spoil = () => {
      spoiled = true;
    };
    const interrupt = (reason: unknown) => {
      spoil();
      if (this.#options.config !== undefined) cancelQuery(client, this.#options.config);
      ended.reject(reason);
    };
    const leave = () => interrupt(limits.signal?.reason);
    const timer = timeUntil(limits.deadline, () => interrupt(limits.late()));
    const began = performance.now();
    client.on("error", spoil);
    limits.signal?.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([work(client), ended.promise]);
    } catch (thrown) {
      if (isConnectionLost(thrown) || client.getTransactionStatus() !== "I") spoil();
      throw thrown;
    } finally {
      clearTimeout(timer);
      limits.signal?.removeEventListener("abort", leave);
      client.off("error", spoil);
      client.release(spoiled);
      turn.end();
      limits.caller?.worked(performance.now() - began);
    }
  }

  #admit({ deadline, late, signal }: Limits): void {
    signal?.throwIfAborted();
    if (this.#closing) throw new TenonError("shutting_down", "The service is shutting down.");
    if (deadline <= performance.now()) throw late();
  }

  async #connect({ deadline, late, signal }: Limits, turn: Turn): Promise<pg.PoolClient> {
    const connecting = turn.come
      .then(() => this.#options.pool.connect())
      .catch((thrown: unknown) => {
        throw connectFailure(thrown);
      });
    const ended = Promise.withResolvers<never>();
    const leave = () => ended.reject(signal?.reason);
    const timer = timeUntil(deadline, () => ended.reject(late()));
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([connecting, ended.promise]);
    } catch (thrown) {
      if (!turn.here) turn.end();
      // The connection that comes when nobody waits for it any longer is for the next one.
      connecting
        .then(
          (client) => client.release(),
          () => undefined,
        )
        .finally(() => turn.end());
      throw thrown;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", leave);
    }
  }
}

function limitsOf(options: QueryOptions): Limits {
  return {
    ...options,
    deadline: options.deadline ?? performance.now() + patience,
    late: options.late ?? (() => unavailable("did not respond in time")),
  };
}

function failureOf(thrown: unknown, { late }: Limits): unknown {
  if (thrown instanceof NotBegun || thrown instanceof NotKept) return databaseFailure(thrown.cause);
  return isCancelled(thrown) ? late() : databaseFailure(thrown);
}

function timeUntil(deadline: number, late: () => void): NodeJS.Timeout | undefined {
  const left = deadline - performance.now();
  return left < 2 ** 31 ? setTimeout(late, Math.max(0, left)) : undefined;
}

/** The turns of callers with connections. None has all of them, so that what takes one of them long delays nobody else. */
export function connectionTurns(connections: number, mostWaiting: number): Turns {
  return new Turns(connections, { mostWaiting, mostOfOne: Math.max(1, connections - 1), refused: fullDatabase });
}
