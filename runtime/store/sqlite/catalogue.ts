import type { StorePlan } from "../../contract/index.ts";
import type { Shelf } from "../store.ts";
import { type Layout, layoutOf } from "./layout.ts";

/** Plans of all entities by connector and entity. This is all that the threads know of the specs. */
export type Plans = Readonly<Record<string, Readonly<Record<string, StorePlan>>>>;

/** What tells an entity from all others: it has one set of tables for all instances of its connector. */
export type EntityId = Pick<Shelf, "connector" | "entity">;

/** Layouts of all entities that the specs have, made when they are first asked for. */
export class Catalogue {
  readonly #plans: Plans;
  readonly #layouts = new Map<string, Layout>();

  constructor(plans: Plans) {
    this.#plans = plans;
  }

  /** All entities that the specs have. */
  get entities(): EntityId[] {
    return Object.entries(this.#plans).flatMap(([connector, plans]) =>
      Object.keys(plans).map((entity) => ({ connector, entity })),
    );
  }

  layout({ connector, entity }: EntityId): Layout {
    const name = entityName({ connector, entity });
    let layout = this.#layouts.get(name);
    if (layout === undefined) {
      const plan = this.#plans[connector]?.[entity];
      if (plan === undefined) throw new Error(`there is no plan for ${name}`);
      layout = layoutOf(connector, entity, plan);
      this.#layouts.set(name, layout);
    }
    return layout;
  }
}

export function entityName({ connector, entity }: EntityId): string {
  return `${connector}_${entity}`;
}
