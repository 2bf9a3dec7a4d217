// Generated from spec/jira/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as attachments } from "./attachments.ts";
import { entity as comments } from "./comments.ts";
import { facts } from "./facts.ts";
import { entity as issues } from "./issues.ts";
import { entity as projects } from "./projects.ts";
import { entity as transitions } from "./transitions.ts";
import { entity as users } from "./users.ts";

/** Projects, issues, comments, transitions and users of a Jira Cloud site. */
export const jira: Connector = {
  ...facts,
  entities: { attachments, comments, issues, projects, transitions, users },
};
