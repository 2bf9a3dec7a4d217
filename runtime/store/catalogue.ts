import type { StorePlan } from "../contract/index.ts";
import type { Collection } from "./store.ts";

/** Plans of all entities by connector and entity. A store knows nothing else of the specs. */
export type Plans = Readonly<Record<string, Readonly<Record<string, StorePlan>>>>;

/** What identifies an entity. An entity has one set of tables for all instances of its connector. */
export type EntityId = Pick<Collection, "connector" | "entity">;

/** The layouts of all entities of the specs: how a store keeps their records. Each is made when it is first asked for. */
export class LayoutCatalogue<Layout> {
  readonly #plans: Plans;
  readonly #make: (connector: string, entity: string, plan: StorePlan) => Layout;
  readonly #layouts = new Map<string, Layout>();

  constructor(plans: Plans, make: (connector: string, entity: string, plan: StorePlan) => Layout) {
    this.#plans = plans;
    this.#make = make;
  }

  /** All entities of the specs. */
  get entities(): EntityId[] {
    return Object.entries(this.#plans).flatMap(([connector, plans]) =>
      Object.keys(plans).map((entity) => ({ connector, entity })),
    );
  }

  /** The layout of the entity with this name in the store; undefined when the specs have no such entity. */
  named(name: string): Layout | undefined {
    const entity = this.entities.find((one) => entityName(one) === name);
    return entity === undefined ? undefined : this.layout(entity);
  }

  layout({ connector, entity }: EntityId): Layout {
    const name = entityName({ connector, entity });
    let layout = this.#layouts.get(name);
    if (layout === undefined) {
      const plan = this.#plans[connector]?.[entity];
      if (plan === undefined) throw new Error(`there is no plan for ${name}`);
      layout = this.#make(connector, entity, plan);
      this.#layouts.set(name, layout);
    }
    return layout;
  }
}

/** The name of an entity in a store. */
export function entityName({ connector, entity }: EntityId): string {
  return `${connector}_${entity}`;
}
