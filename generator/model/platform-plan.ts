import { nearest, type PlatformPlan } from "../../runtime/contract/index.ts";
import { errorCodes } from "../../runtime/errors.ts";
import type { Diagnostics } from "../diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { ErrorSpec } from "../load/spec.ts";

/** What the runtime has to know of the platform. */
export function platformPlan({ spec, source }: LoadedConnector, diagnostics: Diagnostics): PlatformPlan {
  const { auth, graphql, rest, rateLimit, sso } = spec.platform;
  const rules = (kind: "graphql" | "rest", errors: Readonly<Record<string, ErrorSpec>>) =>
    Object.fromEntries(
      Object.entries(errors).map(([name, one]) => {
        if (!Object.hasOwn(errorCodes, one.code)) {
          const near = nearest(one.code, Object.keys(errorCodes));
          diagnostics.error(
            source.at(["errors", kind, name, "code"]),
            "SPEC003",
            `unknown error code "${one.code}"`,
            near === undefined ? undefined : `did you mean "${near}"?`,
          );
        }
        return [
          name,
          { code: one.code, ...(one.retry ? { retry: true as const } : {}), ...(one.shrink ? { shrink: true as const } : {}) },
        ];
      }),
    );
  return {
    title: spec.title,
    auth: { env: auth.env, secrets: auth.secrets ?? [] },
    ...(graphql === undefined
      ? {}
      : { graphql: { url: graphql.url, env: graphql.env, derive: longestFirst(graphql.derive ?? { "": "/graphql" }) } }),
    rest: { url: rest.url, env: rest.env, headers: rest.headers ?? {} },
    rateLimit,
    ...(sso === undefined ? {} : { sso }),
    errors: { graphql: rules("graphql", spec.errors?.graphql ?? {}), rest: rules("rest", spec.errors?.rest ?? {}) },
  };
}

/** The longest ending that fits wins. */
function longestFirst(endings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(endings).sort(([a], [b]) => b.length - a.length));
}
