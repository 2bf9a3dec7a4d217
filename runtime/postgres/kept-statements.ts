import { createHash } from "node:crypto";
import type pg from "pg";
import { BoundedMap } from "../base/bounded-map.ts";
import { driverConnection } from "./driver.ts";
import { sqlState } from "./failure.ts";

// Decision 15 in runtime/site/text/decisions-service.md says why: a statement has no name behind a pooler.

// The server can keep a statement under a name, so that it neither reads nor plans it again. A name belongs to one session. Where a pooler
// stands between, the next transaction may be in another session, so there no statement has a name.

/** How many statements each connection keeps. The server needs about 50 KiB for one. */
const mostKept = 100;
/** How many statements are remembered to learn which ones come again. */
const mostSeen = 1_000;

interface Session {
  isDirect: boolean;
  /** Resolves when that is known. */
  readonly looked: Promise<void>;
  /** The names of the statements that it keeps, by their texts; first the one that was used longest ago. */
  readonly names: Map<string, string>;
}

/** Says which statements the connections of one database keep. */
export class KeptStatements {
  readonly #sessions = new WeakMap<pg.ClientBase, Session>();
  /** The names of statements that were not kept when they came last. */
  readonly #seen = new BoundedMap<string, true>(mostSeen);
  #allowed = true;

  /** Must be called before each transaction. What it sends is sent before that, and nobody waits for it. */
  prepare(client: pg.ClientBase): void {
    if (!this.#allowed) return;
    const session = this.#sessions.get(client);
    if (session === undefined) this.#look(client);
    else forgetOldest(client, session);
  }

  /**
   * The name of a statement on a connection; undefined where it has none. A name says what the statement is, so no other one can have it.
   */
  nameOf(client: pg.ClientBase, text: string): string | undefined {
    const session = this.#sessions.get(client);
    if (!this.#allowed || session?.isDirect !== true) return undefined;
    const known = session.names.get(text);
    const name = known ?? `kept_${createHash("sha256").update(text).digest("base64url")}`;
    if (known === undefined && !this.#comesAgain(name)) return undefined;
    session.names.delete(text);
    session.names.set(text, name);
    return name;
  }

  /** Whether no pooler stands between this process and the session of a connection. */
  async isDirect(client: pg.ClientBase): Promise<boolean> {
    const session = this.#sessions.get(client) ?? this.#look(client);
    await session.looked;
    return session.isDirect;
  }

  /** From now on, no statement has a name: a session did not have what it should have kept. */
  giveUp(): void {
    this.#allowed = false;
  }

  /** A pooler tells its clients a number of its own instead of that of the server's process. */
  #look(client: pg.ClientBase): Session {
    const { processID, connection } = driverConnection(client);
    const looked = client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid").then(
      ({ rows: [row] }) => {
        session.isDirect = row?.pid === processID && connection?.parsedStatements !== undefined;
        if (!session.isDirect) this.giveUp();
      },
      () => undefined,
    );
    const session: Session = { isDirect: false, looked, names: new Map() };
    this.#sessions.set(client, session);
    return session;
  }

  #comesAgain(name: string): boolean {
    if (this.#seen.get(name)) return true;
    this.#seen.set(name, true);
    return false;
  }
}

function forgetOldest(client: pg.ClientBase, { names }: Session): void {
  const { connection } = driverConnection(client);
  for (const [text, name] of names) {
    if (names.size <= mostKept) return;
    names.delete(text);
    delete connection?.parsedStatements?.[name];
    client.query(`DEALLOCATE "${name}"`).catch(() => undefined);
  }
}

/** Whether a session lacks a statement that it should have kept, has another one of that name, or can no longer run it. */
export function isNotKept(thrown: unknown): boolean {
  return ["26000", "42P05", "0A000"].includes(sqlState(thrown) ?? "");
}
