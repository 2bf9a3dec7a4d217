import { BoundedMap } from "../../base/bounded-map.ts";
import type { SecretOwner } from "../caller-store.ts";

/** Milliseconds for which an owner is believed to be as it was read. So long may a caller be admitted after another process revoked it. */
const lifetime = 2_000;
const mostOwners = 10_000;

/** Keeps the owners of secrets for a moment, because every request asks for one. What was not found is not kept. */
export class OwnerCache {
  #found = foundOwners();
  #reading = new Map<string, Promise<SecretOwner | undefined>>();

  /** @param key what the secret is found by */
  find(key: string, read: () => Promise<SecretOwner | undefined>): Promise<SecretOwner | undefined> {
    const known = this.#found.get(key);
    if (known !== undefined && known.until > performance.now()) return Promise.resolve(known.owner);
    const under = this.#reading.get(key);
    if (under !== undefined) return under;
    const reading = this.#read(key, read);
    this.#reading.set(key, reading);
    return reading;
  }

  /** Forgets everything, also what is being read. */
  clear(): void {
    this.#found = foundOwners();
    this.#reading = new Map();
  }

  async #read(key: string, read: () => Promise<SecretOwner | undefined>): Promise<SecretOwner | undefined> {
    const found = this.#found;
    const reading = this.#reading;
    // The time counts from the beginning: the answer may be as old as that.
    const until = performance.now() + lifetime;
    try {
      const owner = await read();
      if (owner === undefined) found.delete(key);
      else found.set(key, { owner, until });
      return owner;
    } finally {
      reading.delete(key);
    }
  }
}

function foundOwners(): BoundedMap<string, { readonly owner: SecretOwner; readonly until: number }> {
  return new BoundedMap(mostOwners);
}
