import { type EntityId, entityName, LayoutCatalogue, type Plans } from "../../catalogue.ts";
import { bareLayout, type Layout, layoutOf } from "./layout.ts";

/** The layouts of all entities in a file. */
export class Catalogue extends LayoutCatalogue<Layout> {
  readonly #bare = new Map<string, Layout>();

  constructor(plans: Plans) {
    super(plans, layoutOf);
  }

  /** The layout of an entity while many of its records are loaded. */
  bare(entity: EntityId): Layout {
    const name = entityName(entity);
    const bare = this.#bare.get(name) ?? bareLayout(this.layout(entity));
    this.#bare.set(name, bare);
    return bare;
  }
}
