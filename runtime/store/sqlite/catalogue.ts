import { LayoutCatalogue, type Plans } from "../catalogue.ts";
import { type Layout, layoutOf } from "./layout.ts";

/** The layouts of all entities in a file. */
export class Catalogue extends LayoutCatalogue<Layout> {
  constructor(plans: Plans) {
    super(plans, layoutOf);
  }
}
