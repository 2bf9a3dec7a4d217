import { randomUUID } from "node:crypto";
import { TenonError } from "../../../base/errors.ts";
import { pause } from "../../../base/pause.ts";
import { type Database, serverTime } from "../../../postgres/index.ts";
import { sql } from "../../../sql/index.ts";
import { type EntityId, entityName, type LayoutCatalogue } from "../../catalogue.ts";
import type { Layout } from "../tables/layout.ts";
import { type LayoutRow, registerLayouts, standingOf } from "../tables/layout-rows.ts";
import { followSome, mostAtOnce } from "./layout-copy.ts";
import { dropUnused } from "./layout-drop.ts";

/** Milliseconds for which a process is believed to use its layouts after it last said so. */
const leaseTime = 60_000;
/** Milliseconds between two looks, and between those of a process whose layout is not the current one. */
const lookTime = 10_000;
/** Milliseconds after which a process that has ended is forgotten. */
const forgetTime = 86_400_000;
const followTime = 1_000;

export interface LayoutUseOptions {
  readonly database: Database;
  readonly catalogue: LayoutCatalogue<Layout>;
  /** Makes the tables of an entity for this process's layout. */
  readonly prepare: (entity: EntityId) => Promise<unknown>;
  /** Called when the tables of this process's layout are gone. */
  readonly outdated: (error: TenonError) => void;
  readonly tell: (text: string) => void;
  /** Milliseconds. Only tests set them. */
  readonly lookTime?: number;
  readonly leaseTime?: number;
}

/**
 * Notes which layouts this process uses, so that nobody drops their tables. Where another layout has become the current one, it copies the
 * changes of that one, so that this process's searches find them. Drops layouts that nobody uses.
 */
export class LayoutUse {
  readonly #options: LayoutUseOptions;
  readonly #process = randomUUID();
  readonly #leaseTime: number;
  #layouts: readonly number[] = [];
  /** Since when the lease was renewed without a gap, as of `performance.now()`. */
  #since = performance.now();
  readonly #told = new Set<string>();

  constructor(options: LayoutUseOptions) {
    this.#options = options;
    this.#leaseTime = options.leaseTime ?? leaseTime;
  }

  /** Notes the layouts before anything is searched. */
  async begin(): Promise<void> {
    const { database, catalogue } = this.#options;
    const all = catalogue.entities.map((entity) => ({ entity, layout: catalogue.layout(entity) }));
    this.#layouts = await registerLayouts(database, all);
    await this.#renew();
    this.#since = performance.now();
  }

  /** Renews the lease until the signal. */
  async keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(this.#leaseTime / 6, signal, "idle");
      if (!signal.aborted) await this.#renew().catch(() => this.#lose());
    }
  }

  /** Follows the current layouts until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const follows = await this.#look(signal).catch(() => false);
      const look = this.#options.lookTime ?? lookTime;
      await pause(follows ? Math.min(look, followTime) : look, signal, "idle");
    }
  }

  /** Gives the layouts free at once. */
  async end(): Promise<void> {
    await this.#options.database.run(sql`UPDATE store_users SET until = ${serverTime} WHERE process = ${this.#process}`);
  }

  async #renew(): Promise<void> {
    await this.#options.database.run(
      sql`INSERT INTO store_users AS u (process, layouts, until) VALUES (${this.#process}, ${this.#layouts}::integer[], ${serverTime} + ${this.#leaseTime}::bigint)
        ON CONFLICT (process) DO UPDATE SET layouts = excluded.layouts, until = excluded.until`,
    );
  }

  /** While the database was away, the leases of others ended too, although they run: they need time to renew them. */
  #lose(): void {
    this.#since = performance.now();
  }

  /** @returns whether another layout than that of this process is the current one somewhere */
  async #look(signal: AbortSignal): Promise<boolean> {
    const { database, catalogue } = this.#options;
    const others = await database.query<{ entity: string; state: LayoutRow["state"] }>(
      sql`SELECT l.entity, l.state FROM store_layouts l JOIN store_entities e ON e.name = l.entity
        WHERE l.id = ANY (${this.#layouts}::integer[]) AND l.id <> e.layout`,
    );
    for (const { entity: name, state } of others) {
      const entity = catalogue.entities.find((one) => entityName(one) === name);
      if (entity === undefined) continue;
      if (state === "filled") await this.#followOne(entity, signal);
      else await this.#without(entity, state);
    }
    if (performance.now() - this.#since > this.#leaseTime) await this.#dropOld();
    return others.length > 0;
  }

  async #followOne(entity: EntityId, signal: AbortSignal): Promise<void> {
    const { database, catalogue, tell } = this.#options;
    const { entity: name } = entity;
    if (!this.#told.has(entityName(entity)))
      tell(`the tables of ${name} are now those of another version of the spec: this process searches, and no longer syncs them`);
    this.#told.add(entityName(entity));
    while ((await followSome(database, entity, catalogue.layout(entity))) === mostAtOnce && !signal.aborted);
  }

  /** Another process has made the first tables of an entity, or this one was away for so long that its own were dropped. */
  async #without(entity: EntityId, state: LayoutRow["state"]): Promise<void> {
    const { database, catalogue, prepare, outdated } = this.#options;
    const standing = await standingOf(database, entity, catalogue.layout(entity));
    if (standing === undefined) return;
    if (standing.own.number > standing.current.number) await prepare(entity);
    else if (state === "left" || this.#told.has(entityName(entity))) outdated(layoutGone(entity));
  }

  async #dropOld(): Promise<void> {
    const { database, catalogue, tell } = this.#options;
    try {
      for (const { entity, version } of await dropUnused(database, catalogue))
        tell(`dropped tables of ${entity} that no process uses (version ${version})`);
      await database.run(sql`DELETE FROM store_users WHERE until < ${serverTime} - ${forgetTime}::bigint`);
    } catch {
      // The user may not drop tables: `tenon store migrate --drop-old` does it.
    }
  }
}

function layoutGone({ entity }: EntityId): TenonError {
  return new TenonError(
    "store_unusable",
    `The tables of ${entity} for this version of the spec were dropped, because the database has newer ones. Install the newer version.`,
  );
}
