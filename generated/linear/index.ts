// Generated from spec/linear/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as comments } from "./comments.ts";
import { entity as cycles } from "./cycles.ts";
import { facts } from "./facts.ts";
import { entity as issues } from "./issues.ts";
import { entity as labels } from "./labels.ts";
import { entity as projects } from "./projects.ts";
import { entity as teams } from "./teams.ts";
import { entity as users } from "./users.ts";
import { entity as workflowStates } from "./workflow_states.ts";

/** Teams, issues, comments, projects, cycles, workflow states, labels and users of a Linear workspace. */
export const linear: Connector = {
  ...facts,
  entities: { comments, cycles, issues, labels, projects, teams, users, workflow_states: workflowStates },
};
