// Generated from spec/github/code.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { codeStore } from "./facts.ts";
import { apiSearchParams } from "./validators/code.js";

/** Files whose content has certain words, as GitHub's code search finds them. */
export interface CodeMatch {
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Path within the repository. */
  readonly path: string;
  /** File name. */
  readonly name: string;
  /** SHA of the content. */
  readonly sha: string;
  /** Address of its web page. */
  readonly url: string;
}

export interface CodeApiSearchParams {
  /** Query in GitHub's syntax for code. */
  readonly query: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const codeMatchPlan: RecordPlan = {
  name: "CodeMatch",
  fields: {
    repository: { read: "repository.full_name", always: true },
    path: { read: "path", always: true },
    name: { read: "name", always: true },
    sha: { read: "sha", always: true },
    url: { read: "html_url", always: true },
  },
};

/** Searches the default branches of repositories on GitHub. It needs a word, not only qualifiers, and gives at most 1,000 files. */
export const apiSearch: Action<CodeApiSearchParams, Page<CodeMatch>> = {
  name: "code.api_search",
  traits: actionTraits.api_search,
  params: ["query", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/search/code",
    query: [{ param: "query", name: "q" }, "per_page"],
    body: [],
    limit: "GET /search/code",
    answer: "items",
    list: { page: { size: "per_page", cursor: "after", max: 100 }, by: { kind: "link" }, incomplete: "incomplete_results" },
    record: codeMatchPlan,
  },
};

/** Files whose content has certain words, as GitHub's code search finds them. */
export const entity: Entity = {
  actions: { api_search: apiSearch },
  record: codeMatchPlan,
  store: codeStore,
  aliases: ["code_search", "search_code"],
  brief: ["repository", "path", "sha", "url"],
  sync: [],
};
