// Generated from spec/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as books } from "./books.ts";
import { facts } from "./facts.ts";

/** The same library without GraphQL. */
export const paper: Connector = {
  ...facts,
  entities: { books },
};
