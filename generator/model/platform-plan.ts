import { errorCodes } from "../../runtime/base/error-codes.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { type PlatformPlan, parseErrorKey } from "../../runtime/contract/index.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { Source } from "../load/source.ts";
import type { ConnectorSpec, ErrorSpec, PlatformSpec } from "../load/spec.ts";
import { authKinds, authSpecs, longestFirst } from "./auth-kinds.ts";
import type { PlatformDescription } from "./platform-description.ts";

/** Calls that may be under way at once where the platform does not say how many. */
const defaultConcurrent = 10;

/** Hint where no code is spelled alike: those that errors of a platform mostly have. */
const usualCodes = `such as ${Object.keys(errorCodes)
  .filter((code) => /^(platform_.*|not_found|bad_cursor|rate_limited)$/.test(code))
  .join(", ")}`;

/** What the runtime has to know of the platform. */
export function platformPlan(connector: LoadedConnector, platform: PlatformDescription, diagnostics: Diagnostics): PlatformPlan {
  const { spec, source } = connector;
  const { graphql, rest, rateLimit = {}, sso, variables } = spec.platform;
  const { places, when } = spec.errors ?? {};
  if (when !== undefined && spec.platform.rest === undefined)
    diagnostics.error(
      source.at(["errors", "when"]),
      "SPEC016",
      "`when` is about responses of REST, but the connector has no REST API",
    );
  for (const key of Object.keys(spec.errors?.rest ?? {}))
    if ((parseErrorKey(key).status ?? 400) < 400 && when === undefined)
      diagnostics.error(
        source.at(["errors", "rest", key]),
        "SPEC016",
        `the status in "${key}" is a success, so the rule has no effect`,
        "`when` says which successes are errors",
      );
  if (connector.complete) checkCalls(connector, platform, diagnostics);
  checkPatterns(spec, source, diagnostics);
  checkAddresses(spec.platform, source, diagnostics);
  const api = ({ url, env, headers }: { url: string; env?: string; headers?: Readonly<Record<string, string>> }) => ({
    url,
    ...(env === undefined ? {} : { env }),
    ...(headers === undefined ? {} : { headers }),
  });
  return {
    title: spec.title,
    auth: {
      kinds: authKinds(spec.platform, source, diagnostics),
      secrets: authSpecs(spec.platform).flatMap((one) => one.secrets ?? []),
    },
    ...(variables === undefined ? {} : { variables }),
    ...(graphql === undefined
      ? {}
      : { graphql: { ...api(graphql), ...(graphql.derive === undefined ? {} : { derive: longestFirst(graphql.derive) }) } }),
    ...(rest === undefined
      ? {}
      : { rest: { ...api(rest), ...(rest.idempotency === undefined ? {} : { idempotency: rest.idempotency }) } }),
    rateLimit: {
      ...rateLimit,
      concurrent: rateLimit.concurrent ?? defaultConcurrent,
      background: rateLimit.background ?? { concurrent: 1, reserve: 0 },
    },
    ...(sso === undefined ? {} : { sso }),
    errors: {
      graphql: errorRules("graphql", spec, source, diagnostics),
      rest: errorRules("rest", spec, source, diagnostics),
      ...(when === undefined ? {} : { when: [when].flat() }),
      ...(places === undefined
        ? {}
        : { places: Object.fromEntries(Object.entries(places).map(([what, at]) => [what, typeof at === "string" ? [at] : at])) }),
    },
  };
}

function errorRules(api: "graphql" | "rest", spec: ConnectorSpec, source: Source, diagnostics: Diagnostics) {
  const errors: Readonly<Record<string, ErrorSpec>> = spec.errors?.[api] ?? {};
  const entries = Object.entries(errors).map(([key, one]) => {
    const at = source.at(["errors", api, key, "code"]);
    if (!Object.hasOwn(errorCodes, one.code))
      diagnostics.error(
        at,
        "SPEC003",
        `unknown error code "${one.code}"`,
        suggestion(one.code, Object.keys(errorCodes)) ?? usualCodes,
        { lacks: [{ kind: "error code", name: one.code }] },
      );
    const { pattern, name, status } = parseErrorKey(key);
    // Platforms quote their callers in messages: with a text a caller could stop all calls of the connector.
    if (one.code === "rate_limited" && pattern !== undefined && name === undefined && status === undefined)
      diagnostics.error(at, "SPEC016", "a text alone cannot mean that calls have to wait", "put a status before the pattern");
    const retry = one.retry ? { retry: true as const } : {};
    const shrink = one.shrink ? { shrink: true as const } : {};
    return [key, { code: one.code, ...retry, ...shrink }] as const;
  });
  return Object.fromEntries(entries);
}

/** Checks that each call with a limit of its own is one that an action makes, and that each override says something of such a call. */
function checkCalls({ spec, source, entities }: LoadedConnector, platform: PlatformDescription, diagnostics: Diagnostics): void {
  const actions = entities.flatMap((one) => Object.values(one.spec.actions));
  const made = actions.flatMap(({ rest }) => rest ?? []);
  for (const call of Object.keys(spec.platform.rateLimit?.calls ?? {}))
    if (!made.includes(call))
      diagnostics.error(
        source.at(["platform", "rateLimit", "calls", call]),
        "SPEC005",
        `no action makes the call "${call}"`,
        suggestion(call, made),
        { lacks: [{ kind: "call", name: call }] },
      );
  const described = [...made, ...actions.flatMap(({ poll }) => poll?.rest ?? [])];
  // A call that is wrong elsewhere may be the one.
  if (diagnostics.count > 0) return;
  const words = new Set(
    [spec.errors?.places, ...entities.map((one) => one.spec), spec.fields, spec.params, spec.types].flatMap(wordsIn),
  );
  for (const [place, patch] of Object.entries(spec.platform.rest?.overrides ?? {})) {
    const at = ["platform", "rest", "overrides", place];
    if (!platform.describes(place, described))
      diagnostics.error(
        source.at(at),
        "SPEC005",
        `no action makes a call that "${place}" describes, so the override has no effect`,
      );
    else
      for (const keys of propertiesIn(patch))
        if (!words.has(keys.at(-1) ?? ""))
          diagnostics.error(
            source.at([...at, ...keys]),
            "SPEC005",
            `nothing reads or sends "${keys.at(-1)}", so this part of the override has no effect`,
          );
  }
}

/** The words of all keys and texts of a value. */
function wordsIn(value: unknown): string[] {
  if (typeof value === "string") return value.match(/[\w-]+/g) ?? [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [key, ...wordsIn(one)]);
}

/** Where a merge patch of a description has a property: the keys that lead to it. */
function propertiesIn(patch: unknown, before: readonly string[] = []): (readonly string[])[] {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) return [];
  return Object.entries(patch).flatMap(([key, one]) => {
    const keys = [...before, key];
    const own = before.at(-1) === "properties" && one !== null ? [keys] : [];
    return [...own, ...propertiesIn(one, keys)];
  });
}

/**
 * Checks patterns: a wrong regular expression would stop the service, and one that matches an empty text would match everywhere.
 */
function checkPatterns(spec: ConnectorSpec, source: Source, diagnostics: Diagnostics): void {
  const { rateLimit, sso } = spec.platform;
  const list = Array.isArray(spec.platform.auth);
  const secrets = authSpecs(spec.platform).flatMap((one, kind) =>
    (one.secrets ?? []).map((pattern, index): [(string | number)[], string] => [
      ["platform", "auth", ...(list ? [kind] : []), "secrets", index],
      pattern,
    ]),
  );
  const rules = (["graphql", "rest"] as const).flatMap((api) =>
    Object.keys(spec.errors?.[api] ?? {}).map((key): [string[], string | undefined] => [
      ["errors", api, key],
      parseErrorKey(key).pattern,
    ]),
  );
  const patterns: [path: (string | number)[], pattern: string | undefined][] = [
    ...secrets,
    ...rules,
    [["platform", "rateLimit", "secondary"], rateLimit?.secondary],
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
}

/** Checks addresses and headers, and that every variable in them is declared and every declared one is used. */
function checkAddresses(platform: PlatformSpec, source: Source, diagnostics: Diagnostics): void {
  const { graphql, rest, variables = {} } = platform;
  const used = new Set<string>();
  let isAddress = true;
  const use = (text: string, path: readonly (string | number)[]) => {
    for (const [, name = ""] of text.matchAll(/\{(\w*)\}/g)) {
      used.add(name);
      if (!Object.hasOwn(variables, name))
        diagnostics.error(
          source.at(path),
          "SPEC003",
          `there is no variable "${name}"`,
          suggestion(name, Object.keys(variables)) ?? "declare it in `variables`",
          { lacks: [{ kind: "variable", name }] },
        );
    }
  };
  for (const [name, api] of [
    ["graphql", graphql],
    ["rest", rest],
  ] as const) {
    if (api === undefined) continue;
    const at = ["platform", name];
    const url = api.url.replace(/\{(\w+)\}/g, (_, name: string) => variables[name]?.example ?? "x");
    // A parser of addresses takes spaces at the end, and any signs in the name of a host.
    if (!/^https?:\/\/(\[[\da-f:]+\]|[\w.-]+)(:\d+)?(\/\S*)?$/i.test(url) || !URL.canParse(url)) {
      isAddress = false;
      diagnostics.error(source.at([...at, "url"]), "SPEC016", `"${api.url}" is not an http or https address`);
    } else if (url.endsWith("/"))
      diagnostics.error(source.at([...at, "url"]), "SPEC016", `"${api.url}" ends with a slash, with which every path begins`);
    use(api.url, [...at, "url"]);
    for (const [header, text] of Object.entries(api.headers ?? {})) use(text, [...at, "headers", header]);
  }
  for (const [index, { oauth }] of authSpecs(platform).entries())
    for (const key of ["authorize", "token", "refresh"] as const) {
      const address = oauth?.[key] ?? "";
      const at = ["platform", "auth", ...(Array.isArray(platform.auth) ? [index] : []), "oauth", key];
      if (/\s/.test(address)) diagnostics.error(source.at(at), "SPEC016", `"${address}" is not an http or https address`);
      use(address, at);
    }
  // Text that is not an address may lack the variable.
  for (const name of isAddress ? Object.keys(variables) : [])
    if (!used.has(name))
      diagnostics.error(source.at(["platform", "variables", name]), "SPEC005", `variable "${name}" is never used`, undefined, {
        unused: { kind: "variable", name },
      });
}
