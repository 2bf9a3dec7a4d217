import { errorCodes } from "../../runtime/base/errors.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import type { PlatformPlan } from "../../runtime/contract/index.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { Source } from "../load/source.ts";
import type { ConnectorSpec, ErrorSpec } from "../load/spec.ts";

/** How every platform so far takes its credential. */
const authScheme = "bearer";

/** What the runtime has to know of the platform. */
export function platformPlan({ spec, source }: LoadedConnector, diagnostics: Diagnostics): PlatformPlan {
  const { auth, graphql, rest, rateLimit, sso } = spec.platform;
  const rules = (kind: "graphql" | "rest", errors: Readonly<Record<string, ErrorSpec>>) =>
    Object.fromEntries(
      Object.entries(errors).map(([name, one]) => {
        if (!Object.hasOwn(errorCodes, one.code))
          diagnostics.error(
            source.at(["errors", kind, name, "code"]),
            "SPEC003",
            `unknown error code "${one.code}"`,
            suggestion(one.code, Object.keys(errorCodes)),
          );
        return [
          name,
          { code: one.code, ...(one.retry ? { retry: true as const } : {}), ...(one.shrink ? { shrink: true as const } : {}) },
        ];
      }),
    );
  checkPatterns(spec, source, diagnostics);
  return {
    title: spec.title,
    auth: { env: auth.env, scheme: authScheme, secrets: auth.secrets ?? [] },
    ...(graphql === undefined
      ? {}
      : { graphql: { url: graphql.url, env: graphql.env, derive: longestFirst(graphql.derive ?? { "": "/graphql" }) } }),
    rest: { url: rest.url, env: rest.env, headers: rest.headers ?? {} },
    rateLimit: { ...rateLimit, background: rateLimit.background ?? { concurrent: 1, reserve: 0 } },
    ...(sso === undefined ? {} : { sso }),
    errors: { graphql: rules("graphql", spec.errors?.graphql ?? {}), rest: rules("rest", spec.errors?.rest ?? {}) },
  };
}

/** Puts longer endings first, because the first ending that fits counts. */
function longestFirst(endings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(endings).sort(([a], [b]) => b.length - a.length));
}

/**
 * Checks patterns and addresses: a wrong regular expression would stop the service, and one
 * that matches an empty text would match everywhere.
 */
function checkPatterns(spec: ConnectorSpec, source: Source, diagnostics: Diagnostics): void {
  const { auth, rateLimit, sso } = spec.platform;
  const patterns: [path: string[], pattern: string | undefined][] = [
    ...(auth.secrets ?? []).map((one, index): [string[], string] => [["platform", "auth", "secrets", String(index)], one]),
    [["platform", "rateLimit", "secondary"], rateLimit.secondary],
    [["platform", "sso", "required"], sso?.required],
    [["platform", "sso", "partial"], sso?.partial],
  ];
  for (const [path, pattern] of patterns) {
    if (pattern === undefined) continue;
    try {
      if (new RegExp(pattern).test(""))
        diagnostics.error(
          source.at(path),
          "SPEC016",
          `the pattern "${pattern}" matches an empty text, so it would match everywhere`,
        );
    } catch {
      diagnostics.error(source.at(path), "SPEC016", `"${pattern}" is not a regular expression`);
    }
  }
  for (const [api, address] of [
    ["graphql", spec.platform.graphql?.url],
    ["rest", spec.platform.rest.url],
  ] as const)
    if (address !== undefined && !/^https?:\/\//.test(address))
      diagnostics.error(source.at(["platform", api, "url"]), "SPEC016", `"${address}" is not an http or https address`);
}
