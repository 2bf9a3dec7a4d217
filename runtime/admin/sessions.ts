import { hash, randomBytes } from "node:crypto";
import { BoundedMap } from "../base/bounded-map.ts";
import { TenonError } from "../base/errors.ts";
import type { PreparedAction } from "./actions.ts";

/** Milliseconds that a session lasts, whatever happens in it. */
export const sessionTime = 30 * 60_000;
/** Sessions of one caller at once. When there are more, the caller's oldest ends, and never one of somebody else. */
const mostOfCaller = 10;
/** Sessions of all callers at once. */
const mostSessions = 1_000;
/** Actions of one session that wait for a confirmation. Only somebody with several windows has more than one. */
const mostProposals = 5;

interface Session {
  /** Id of the caller whose token it is. */
  readonly caller: string;
  readonly token: string;
  readonly endsAt: number;
  /** What waits for a confirmation, by the token that the page of the confirmation has. */
  readonly proposals: BoundedMap<string, PreparedAction>;
}

/**
 * The sessions of browsers: each stands for a token that was checked. The token is kept in memory only, and is checked again with every
 * request, so that a session ends together with its key. The browser gets a random id, of which only the hash is kept.
 */
export class Sessions {
  readonly #now: () => number;
  /** The oldest comes first. */
  readonly #sessions = new Map<string, Session>();

  /** @param now milliseconds, never going back */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Begins a session of a caller.
   *
   * @returns its id, of 256 random bits
   * @throws TenonError `overloaded` when others have all the sessions that there may be
   */
  begin(caller: string, token: string): string {
    this.#makeRoom(caller);
    const id = randomBytes(32).toString("base64url");
    this.#sessions.set(nameOf(id), {
      caller,
      token,
      endsAt: this.#now() + sessionTime,
      proposals: new BoundedMap(mostProposals),
    });
    return id;
  }

  /** The token of a session; undefined when there is no such session, or no longer. */
  tokenOf(id: string): string | undefined {
    const session = this.#sessions.get(nameOf(id));
    return session === undefined || session.endsAt <= this.#now() ? undefined : session.token;
  }

  /** Keeps an action until it is confirmed. @returns the token of its confirmation, which nobody else can know */
  propose(id: string, action: PreparedAction): string {
    const token = randomBytes(32).toString("base64url");
    this.#sessions.get(nameOf(id))?.proposals.set(nameOf(token), action);
    return token;
  }

  /** The action of a confirmation, once. @returns undefined where there is none, or it was confirmed already */
  confirmed(id: string, token: string): PreparedAction | undefined {
    const proposals = this.#sessions.get(nameOf(id))?.proposals;
    const action = proposals?.get(nameOf(token));
    proposals?.delete(nameOf(token));
    return action;
  }

  end(id: string): void {
    this.#sessions.delete(nameOf(id));
  }

  /** Forgets the sessions that are over, and the oldest one of the caller where that is one too many. */
  #makeRoom(caller: string): void {
    for (const [name, { endsAt }] of this.#sessions) if (endsAt <= this.#now()) this.#sessions.delete(name);
    const own = [...this.#sessions].filter(([, session]) => session.caller === caller);
    const [oldest] = own;
    if (oldest !== undefined && (own.length >= mostOfCaller || this.#sessions.size >= mostSessions))
      this.#sessions.delete(oldest[0]);
    if (this.#sessions.size >= mostSessions)
      throw new TenonError("overloaded", "Too many sessions are open. Try again later.", { retryAfter: sessionTime / 1000 });
  }
}

/** The name is a hash, so that looking it up tells nothing about the ids that there are. */
function nameOf(id: string): string {
  return hash("sha256", id, "base64url");
}
