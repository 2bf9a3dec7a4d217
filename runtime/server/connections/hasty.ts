import type { Socket } from "node:net";
import { BoundedMap } from "../../base/bounded-map.ts";

/** Milliseconds for which an address is remembered, and how many are. */
const remembered = 60_000;
const mostAddresses = 10_000;

type Connection = Pick<Socket, "remoteAddress">;

/** The addresses on whose connections too many requests were sent ahead lately. */
export class HastyAddresses {
  readonly #endedAt = new BoundedMap<string, number>(mostAddresses);
  readonly #now: () => number;

  /** @param now milliseconds, never going back */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Notes that a connection was ended because of that. */
  note({ remoteAddress = "" }: Connection): void {
    this.#endedAt.set(remoteAddress, this.#now());
  }

  has({ remoteAddress = "" }: Connection): boolean {
    const endedAt = this.#endedAt.get(remoteAddress);
    return endedAt !== undefined && this.#now() - endedAt < remembered;
  }
}
