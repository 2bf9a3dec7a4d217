import type { Answer } from "./answer.ts";
import type { Api } from "./fault.ts";
import type { GraphqlEngine } from "./graphql/engine.ts";
import type { Budget } from "./rate-limit.ts";
import type { ReceivedRequest } from "./request.ts";
import type { RestApi } from "./rest/api.ts";

/**
 * A platform to simulate: all that the machine in this folder does not know of it. `World` is its data, `Viewer` the account on
 * whose behalf a request is made, with what its credential allows.
 */
export interface SimulatedPlatform<World extends object, Viewer> {
  /** The data set. The same seed gives the same data. */
  readonly seed: (seed?: number) => World;
  /** Address of the platform's web pages, for links in records. */
  readonly web: string;
  /** Answers what is no call of an API, such as a request for a token; undefined for everything else. */
  readonly aside?: (received: ReceivedRequest, facts: Aside<World>) => Answer | undefined;
  /** Who makes the request, or why it is refused before anything else. */
  readonly admit: (received: ReceivedRequest, world: World) => { readonly viewer: Viewer } | { readonly refused: Answer };
  readonly quota: {
    /** Points of one account and API in an hour. */
    readonly perHour: number;
    /** Whose quota a viewer's requests are counted against. */
    readonly account: (viewer: Viewer) => string;
    readonly exceeded: (api: Api, viewer: Viewer) => Answer;
  };
  /** Headers of every answer. */
  readonly headers: (facts: HeaderFacts<Viewer>) => Readonly<Record<string, string>>;
  readonly graphql?: GraphqlEngine<World, Viewer>;
  readonly rest: RestApi<World, Viewer>;
  /** Called after a REST request that may have changed the data. */
  readonly changed?: (world: World) => void;
}

export interface Aside<World> {
  readonly world: World;
  /** Milliseconds by which the platform's clock is ahead of this machine's. */
  readonly ahead: number;
}

export interface HeaderFacts<Viewer> {
  readonly api: Api;
  /** Counts the requests, from 1. */
  readonly serial: number;
  /** Absent where the request was refused before its viewer was known. */
  readonly known?: { readonly viewer: Viewer; readonly budget: Budget };
}
