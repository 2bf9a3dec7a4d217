// Generated from spec/gitlab/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { facts } from "./facts.ts";
import { entity as issueNotes } from "./issue_notes.ts";
import { entity as issues } from "./issues.ts";
import { entity as mergeRequestNotes } from "./merge_request_notes.ts";
import { entity as mergeRequests } from "./merge_requests.ts";
import { entity as pipelines } from "./pipelines.ts";
import { entity as projects } from "./projects.ts";
import { entity as users } from "./users.ts";

/** Projects, issues, merge requests, their notes, pipelines and users of GitLab.com or of a GitLab server of your own. */
export const gitlab: Connector = {
  ...facts,
  entities: {
    issue_notes: issueNotes,
    issues,
    merge_request_notes: mergeRequestNotes,
    merge_requests: mergeRequests,
    pipelines,
    projects,
    users,
  },
};
