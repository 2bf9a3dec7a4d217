// Generated from spec/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as bookPlan_ } from "./book_plan.ts";
import { entity as class_ } from "./class.ts";
import { entity as connectors_ } from "./connectors.ts";
import { entity as default_ } from "./default.ts";
import { entity as entity_ } from "./entity.ts";
import { facts } from "./facts.ts";
import { entity as get_ } from "./get.ts";
import { entity as import_ } from "./import.ts";
import { entity as list_ } from "./list.ts";
import { entity as new_ } from "./new.ts";

/** A library for the golden cases. */
export const package_: Connector = {
  ...facts,
  entities: {
    book_plan: bookPlan_,
    class: class_,
    connectors: connectors_,
    default: default_,
    entity: entity_,
    get: get_,
    import: import_,
    list: list_,
    new: new_,
  },
};
