import type { Damage, Strike } from "../../../runtime/simulator/fault.ts";

/**
 * A way in which the real platform fails. Each strikes the next requests that it fits; of several, the one queued first. Seconds may
 * be fractions, but a reset is told in whole seconds, as the platform does.
 */
export type Fault = Strike &
  (
    | {
        /** The hourly budget is used up. GraphQL answers 200 in either form, REST 403 or 429. */
        readonly kind: "primary-limit";
        readonly form?: "RATE_LIMITED" | "RATE_LIMIT";
        readonly status?: 403 | 429;
        readonly resetIn?: number;
      }
    | {
        /** Requests came too fast or too many at once. Without `retryAfter` the answer has no such header. */
        readonly kind: "secondary-limit";
        readonly status: 200 | 403 | 429;
        readonly retryAfter?: number;
        /** What the quota headers say. They are not the cause of the refusal, and a caller must not take them for it. */
        readonly remaining?: number;
        readonly resetIn?: number;
        /** Body of status 200 on GraphQL: an `errors` list, or a plain `message` as REST has it. */
        readonly form?: "errors" | "message";
      }
    /** A page of a proxy instead of an answer; with `effect` the request was carried out all the same. */
    | { readonly kind: "gateway"; readonly status: 502 | 503 | 504; readonly effect?: boolean; readonly retryAfter?: number }
    /** The connection breaks before anything happened, or after everything did. */
    | { readonly kind: "drop"; readonly when: "before" | "after" }
    | { readonly kind: "slow"; readonly ms: number }
    /** The request is carried out when this promise is fulfilled. */
    | { readonly kind: "held"; readonly until: Promise<unknown> }
    /** The answer ends in the middle of its JSON. What was asked for happened. */
    | { readonly kind: "truncated-json" }
    /** Documents with a page above this size are too much; smaller ones pass (and do not use the fault up). */
    | { readonly kind: "page-too-large"; readonly above: number; readonly form: "RESOURCE_LIMITS_EXCEEDED" | 502 | 504 }
    /** Their errors are of the type SERVICE_UNAVAILABLE, unless they name another one. */
    | Damage
    /** Refused: REST 403; GraphQL null data with FORBIDDEN. */
    | { readonly kind: "forbidden"; readonly message?: string }
    /** The organization demands single sign-on. */
    | { readonly kind: "saml"; readonly url?: string }
    /** A whole answer that silently leaves out what single sign-on guards. */
    | { readonly kind: "sso-partial"; readonly organizations?: readonly number[] }
    /** GraphQL 200 without data and with one error of this type. */
    | {
        readonly kind: "graphql-error";
        readonly type:
          | "INSUFFICIENT_SCOPES"
          | "SERVICE_UNAVAILABLE"
          | "INTERNAL"
          | "RESOURCE_LIMITS_EXCEEDED"
          | "MAX_NODE_LIMIT_EXCEEDED";
        readonly message?: string;
      }
    | { readonly kind: "unauthorized" }
    /** The platform's own "something went wrong": an error without a type. */
    | { readonly kind: "server-error"; readonly status: 200 | 500 | 503 }
    /** Not queued: sets what is left of the quota at once. Below one, requests are refused until the reset. */
    | { readonly kind: "quota"; readonly remaining: number; readonly limit?: number; readonly resetIn?: number }
  );

export type FaultKind = Fault["kind"];
export type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;
