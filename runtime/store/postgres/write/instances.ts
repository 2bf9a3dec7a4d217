import type { Database } from "../../../postgres/index.ts";
import type { StoreInstance } from "../../store.ts";
import { ledgerOn } from "./ledger.ts";

/** The ids that connector instances have in the database. An id is never given to another instance, so it is read once. */
export class InstanceIds {
  readonly #database: Database;
  readonly #known = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The id of an instance; undefined when nothing of it was ever stored. */
  async find({ connector, instance }: StoreInstance): Promise<number | undefined> {
    const key = JSON.stringify([connector, instance]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const id = await ledgerOn(this.#database).findInstance({ connector, instance });
    if (id !== undefined) this.#known.set(key, id);
    return id;
  }

  /** The id of an instance. It is given when it is first asked for. */
  async make(instance: StoreInstance): Promise<number> {
    return (await this.find(instance)) ?? ledgerOn(this.#database).makeInstance(instance);
  }
}
