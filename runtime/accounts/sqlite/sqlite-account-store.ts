import { join } from "node:path";
import type { AccountStore, CallerKind, SecretOwner, StoredCaller, StoredSecret } from "../account-store.ts";
import { AccountReader } from "./reader.ts";
import { WriterCalls } from "./writer-calls.ts";

/** The file in the data directory that holds everything about callers. */
export function accountsFile(dataDir: string): string {
  return join(dataDir, "accounts.sqlite");
}

/** Stores callers in one SQLite file, which several processes may use at the same time. */
export class SqliteAccountStore implements AccountStore {
  readonly ready: Promise<void>;
  readonly #writer: WriterCalls;
  readonly #reader: Promise<AccountReader>;

  /** @param dataDir the folder of the file; both are made when they are missing */
  constructor(dataDir: string) {
    const file = accountsFile(dataDir);
    this.#writer = new WriterCalls(file);
    this.#reader = this.#writer.ready.then(() => new AccountReader(file));
    this.ready = this.#reader.then(() => undefined);
    this.ready.catch(() => undefined);
  }

  addCaller(caller: StoredCaller, secret: StoredSecret): Promise<void> {
    return this.#writer.call("addCaller", caller, secret);
  }

  async callers(kind: CallerKind): Promise<StoredCaller[]> {
    return (await this.#reader).callers(kind);
  }

  async caller(id: string): Promise<StoredCaller | undefined> {
    return (await this.#reader).caller(id);
  }

  async secretByHash(hashes: readonly string[]): Promise<SecretOwner | undefined> {
    return (await this.#reader).secretByHash(hashes);
  }

  async secretById(id: string): Promise<SecretOwner | undefined> {
    return (await this.#reader).secretById(id);
  }

  replaceSecret(secret: StoredSecret, others: number): Promise<void> {
    return this.#writer.call("replaceSecret", secret, others);
  }

  rehash(id: string, hash: string, keyId: string): Promise<void> {
    return this.#writer.call("rehash", id, hash, keyId);
  }

  revoke(id: string, at: number): Promise<boolean> {
    return this.#writer.call("revoke", id, at);
  }

  noteUse(used: readonly (readonly [id: string, at: number])[]): Promise<void> {
    return this.#writer.call("noteUse", used);
  }

  async keyIds(now: number): Promise<string[]> {
    return (await this.#reader).keyIds(now);
  }

  async close(): Promise<void> {
    const reader = await this.#reader.catch(() => undefined);
    reader?.close();
    // The last connection of all copies the log into the file.
    await this.#writer.end();
  }
}
