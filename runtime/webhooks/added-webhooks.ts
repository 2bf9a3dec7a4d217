import { randomUUID } from "node:crypto";
import { openTokens, type SecretKeys, sealTokens, type TokenStore, webhooksOf } from "../accounts/index.ts";
import { BoundedMap } from "../base/bounded-map.ts";
import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";

/** A webhook that `tenon webhook add` has made. */
export interface AddedWebhook {
  /** Kind and value of the scope. */
  readonly scope: string;
  /** Its id on the platform; null where a person entered it there. */
  readonly id: string | number | null;
  /** The address that the platform calls. */
  readonly url: string;
  /** When it was added (milliseconds since 1970). */
  readonly at: number;
  /** When it was last looked up what the platform could not deliver; 0 for never. */
  readonly lookedAt: number;
  /** The newest first. A former one is good until a time (milliseconds since 1970). */
  readonly secrets: readonly { readonly text: string; readonly until: number | null }[];
}

/** Milliseconds for which a process may go on with secrets that another one has changed. */
export const secretsAge = 1_000;
/** Instances whose secrets are remembered. */
const mostRemembered = 1_000;
/** Milliseconds that one change may take, and between two tries to begin it. */
const changeTime = 5_000;
const tryAgain = 50;

/** Keeps the webhooks of instances with their secrets, encrypted, beside the tokens that platforms have given. */
export class AddedWebhooks {
  readonly #store: TokenStore;
  readonly #keys: SecretKeys;
  readonly #read = new BoundedMap<string, { readonly at: number; readonly webhooks: Promise<readonly AddedWebhook[]> }>(
    mostRemembered,
  );

  constructor(store: TokenStore, keys: SecretKeys) {
    this.#store = store;
    this.#keys = keys;
  }

  /** The webhooks of an instance as they are now, ordered by scope. */
  async of(instance: string): Promise<readonly AddedWebhook[]> {
    const holder = webhooksOf(instance);
    return this.#opened(holder, await this.#store.tokens(holder));
  }

  /** The secrets with which the platform may sign for a scope. They may be as old as {@link secretsAge}. */
  async secrets(instance: string, scope: string): Promise<readonly string[]> {
    const now = Date.now();
    let read = this.#read.get(instance);
    if (read === undefined || Math.abs(now - read.at) > secretsAge) {
      read = { at: now, webhooks: this.of(instance) };
      read.webhooks.catch(() => this.#read.delete(instance));
      this.#read.set(instance, read);
    }
    const found = (await read.webhooks).find((one) => one.scope === scope);
    return found === undefined ? [] : goodSecrets(found, now).map(({ text }) => text);
  }

  /**
   * Changes what is stored of an instance; nobody else changes it meanwhile.
   *
   * @param change gives the webhooks as they are to be, or throws
   */
  async change(instance: string, change: (now: readonly AddedWebhook[]) => readonly AddedWebhook[]): Promise<void> {
    const holder = webhooksOf(instance);
    const owner = randomUUID();
    const tokens = await this.#leased(holder, owner);
    let next: string | null = null;
    try {
      const webhooks = [...change(this.#opened(holder, tokens))].sort((a, b) => (a.scope < b.scope ? -1 : 1));
      next = sealTokens(this.#keys, holder, { webhooks });
    } finally {
      // What was refused gives the right to change back at once.
      if (next === null) await this.#store.saveTokens(holder, owner, null);
    }
    const isSaved = await this.#store.saveTokens(holder, owner, next);
    this.#read.delete(instance);
    if (!isSaved) throw busy();
  }

  /**
   * Takes the webhooks of an instance at which nobody has looked since a time (milliseconds since 1970): others do not get them meanwhile.
   */
  async claim(instance: string, before: number): Promise<readonly AddedWebhook[]> {
    const isDue = ({ id, lookedAt }: AddedWebhook) => id !== null && lookedAt < before;
    let due: readonly AddedWebhook[] = [];
    await this.change(instance, (now) => {
      due = now.filter(isDue);
      return now.map((one) => (isDue(one) ? { ...one, lookedAt: Date.now() } : one));
    });
    return due;
  }

  /** Waits until nobody else changes what is stored. @returns what is stored */
  async #leased(holder: string, owner: string): Promise<string | undefined> {
    const last = performance.now() + changeTime;
    for (;;) {
      const { leased, tokens } = await this.#store.leaseTokens(holder, owner, changeTime);
      if (leased) return tokens;
      if (performance.now() > last) throw busy();
      await pause(tryAgain);
    }
  }

  #opened(holder: string, tokens: string | undefined): readonly AddedWebhook[] {
    if (tokens === undefined) return [];
    return openTokens<{ readonly webhooks: readonly AddedWebhook[] }>(this.#keys, holder, tokens)?.webhooks ?? [];
  }
}

/** The secrets of a webhook that are still good. @param now milliseconds since 1970 */
export function goodSecrets({ secrets }: AddedWebhook, now: number): AddedWebhook["secrets"] {
  return secrets.filter(({ until }) => until === null || until > now);
}

function busy(): TenonError {
  return new TenonError("accounts_unusable", "Another process is changing the webhooks of this connector. Try again.");
}
