import { hash, randomBytes } from "node:crypto";

/** Milliseconds that a session lasts, whatever happens in it. */
export const sessionTime = 30 * 60_000;
/** Sessions at once. When there are more, the oldest ends. */
const mostSessions = 100;

interface Session {
  readonly token: string;
  readonly endsAt: number;
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

  /** Begins a session. @returns its id, of 256 random bits */
  begin(token: string): string {
    this.#forget();
    const id = randomBytes(32).toString("base64url");
    this.#sessions.set(nameOf(id), { token, endsAt: this.#now() + sessionTime });
    return id;
  }

  /** The token of a session; undefined when there is no such session, or no longer. */
  tokenOf(id: string): string | undefined {
    const session = this.#sessions.get(nameOf(id));
    return session === undefined || session.endsAt <= this.#now() ? undefined : session.token;
  }

  end(id: string): void {
    this.#sessions.delete(nameOf(id));
  }

  #forget(): void {
    for (const [name, { endsAt }] of this.#sessions)
      if (endsAt <= this.#now() || this.#sessions.size >= mostSessions) this.#sessions.delete(name);
  }
}

/** The name is a hash, so that looking it up tells nothing about the ids that there are. */
function nameOf(id: string): string {
  return hash("sha256", id, "base64url");
}
