import { type Database, sql } from "../../postgres/index.ts";
import type { StoreInstance } from "../store.ts";

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
    const rows = await this.#database.query<{ id: number }>(
      sql`SELECT id FROM store_instances WHERE connector = ${connector} AND name = ${instance}`,
    );
    const [row] = rows;
    if (row !== undefined) this.#known.set(key, row.id);
    return row?.id;
  }

  /** The id of an instance. It is given when it is first asked for. */
  async make(instance: StoreInstance): Promise<number> {
    const known = await this.find(instance);
    if (known !== undefined) return known;
    await this.#database.run(
      sql`INSERT INTO store_instances (connector, name) VALUES (${instance.connector}, ${instance.instance}) ON CONFLICT DO NOTHING`,
    );
    return (await this.find(instance)) ?? 0;
  }
}
