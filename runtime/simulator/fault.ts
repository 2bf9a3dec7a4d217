import type { Answer } from "./answer.ts";

/** The two kinds of API that a platform may have. Each has a quota of its own. */
export type Api = "graphql" | "rest";

/** When and how often a fault strikes. */
export interface Strike {
  /** How many requests it strikes; 1 when absent, Infinity for all until the faults are forgotten. */
  readonly times?: number;
  /** How many requests it lets pass first, for example to break the second page. */
  readonly skip?: number;
  /** The requests that it may strike; those of both APIs when absent. */
  readonly on?: Api | "any";
}

/** Parts of a good GraphQL result that are lost, each with an error. It waits for a result that has such parts. */
export type Damage =
  /** Elements of the outermost list are null. Without `at`: the one in the middle. */
  | { readonly kind: "null-nodes"; readonly at?: readonly number[]; readonly type?: string }
  | { readonly kind: "all-nodes-null"; readonly type?: string }
  /** A nullable field (by its response name) is null: of the record `at`, or of every one. */
  | { readonly kind: "field-error"; readonly field: string; readonly at?: number; readonly type?: string };

/**
 * A way in which a platform fails, in the terms of this machine; a platform translates its own faults into these. Each strikes the
 * next requests that it fits; of several, the one queued first.
 */
export type Fault<Viewer> = Strike &
  (
    | {
        /** The request is not carried out; this is its answer. */
        readonly kind: "answer";
        readonly answer: (api: Api, viewer: Viewer) => Answer;
        /** Only documents with a page above this size are struck. */
        readonly above?: number;
      }
    /** The request is carried out, and its answer changed. */
    | { readonly kind: "change"; readonly change: (answer: Answer) => Answer }
    /** The request is carried out after so many milliseconds. */
    | { readonly kind: "slow"; readonly ms: number }
    /** The request is carried out when this promise is fulfilled. */
    | { readonly kind: "held"; readonly until: Promise<unknown> }
    | Damage
  );
