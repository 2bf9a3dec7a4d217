// Generated from spec/notion/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as blocks } from "./blocks.ts";
import { entity as dataSources } from "./data_sources.ts";
import { entity as databases } from "./databases.ts";
import { facts } from "./facts.ts";
import { entity as pages } from "./pages.ts";
import { entity as users } from "./users.ts";

/** Pages, their blocks, data sources, databases and users of a Notion workspace. */
export const notion: Connector = {
  ...facts,
  entities: { blocks, data_sources: dataSources, databases, pages, users },
};
