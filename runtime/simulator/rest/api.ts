import type { ErrorObject } from "ajv";
import type { Answer } from "../answer.ts";
import type { Api } from "../fault.ts";
import type { Budget } from "../rate-limit.ts";
import type { ReceivedRequest } from "../request.ts";
import type { Description } from "./description.ts";

/** What a REST API is made of. */
export interface RestApi<World, Viewer> {
  /** The published OpenAPI description, which the bodies of requests must fit. It is read when the first of them comes. */
  readonly description: Description;
  /** A refusal that follows from the headers alone. */
  readonly negotiate?: (headers: ReceivedRequest["headers"]) => Answer | undefined;
  /** Headers of every answer of this API. */
  readonly headers?: (headers: ReceivedRequest["headers"]) => Readonly<Record<string, string>>;
  readonly routes: readonly RestRoute<World, Viewer>[];
  readonly refusals: RestRefusals;
}

/** The platform's words for what is wrong with a REST request. */
export interface RestRefusals {
  readonly path: Answer;
  /** The body is not JSON. */
  readonly syntax: Answer;
  /** The body is JSON, but no object. */
  readonly object: Answer;
  /** The body does not fit the description: the first error. */
  readonly body: (error: ErrorObject) => Answer;
}

export interface RestRoute<World, Viewer> {
  readonly method: string;
  /** As the description writes it: `/repos/{owner}/{repo}/issues`. */
  readonly path: string;
  /** Path of the operation in the description, where it is another one. Bodies of paths that are not described are not checked. */
  readonly describedAs?: string;
  /** A call takes nothing off the quota. */
  readonly free?: true;
  /** A refusal that comes before the body is looked at, such as that of a place that the viewer may not see. */
  readonly admit?: (call: RestCall<World, Viewer>) => Answer | undefined;
  /** Carries the call out. It may throw `Refused`. */
  readonly run: (call: RestCall<World, Viewer>, body: Readonly<Record<string, unknown>>) => Answer;
}

export interface RestCall<World, Viewer> {
  readonly world: World;
  readonly viewer: Viewer;
  /** Address of the REST API, for links in records. */
  readonly rest: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The query with its question mark; empty where there is none. */
  readonly query?: string;
  readonly headers: ReceivedRequest["headers"];
  /** What stands in the path's places, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly budget: (api: Api) => Budget;
}
