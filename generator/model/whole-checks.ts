import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { Source } from "../load/source.ts";
import { authSpecs } from "./auth-kinds.ts";
import { wrongPath } from "./wrong-path.ts";

// Checks of what no single key can tell: paths wherever they are written, variables of the environment, and names of several entities.

/** Keys whose text is a path of keys in what the platform sends or takes. */
const pathKeysOf = [
  "from",
  "name",
  "answer",
  "body",
  "next",
  "more",
  "total",
  "pages",
  "message",
  "code",
  "field",
  "fields",
  "retry",
];

/** @returns where the entries are that have a wrong path */
export function checkWhole(connector: LoadedConnector, diagnostics: Diagnostics): readonly SourcePosition[] {
  const { spec, source, entities } = connector;
  const spoiled: SourcePosition[] = [];
  checkPaths(spec, source, diagnostics, spoiled);
  for (const one of entities) checkPaths(one.spec, one.source, diagnostics, spoiled);
  checkEnvironment(connector, diagnostics);
  checkHeaders(connector, diagnostics);
  const names = new Set(entities.map((one) => one.spec.entity));
  for (const one of entities)
    for (const [index, alias] of (one.spec.aliases ?? []).entries())
      if (names.has(alias))
        diagnostics.error(
          one.source.at(["aliases", index]),
          "SPEC010",
          `"${alias}" is the name of an entity, so it cannot be another name of "${one.spec.entity}"`,
        );
  const hasApi = spec.platform.graphql !== undefined || spec.platform.rest !== undefined;
  for (const api of ["graphql", "rest"] as const)
    if (hasApi && spec.platform.rateLimit?.points?.[api] !== undefined && spec.platform[api] === undefined)
      diagnostics.error(
        source.at(["platform", "rateLimit", "points", api]),
        "SPEC016",
        `the connector has no ${api === "rest" ? "REST" : "GraphQL"} API, so these points have no effect`,
      );
  return spoiled;
}

/** Reports paths with an empty part, or with brackets that hold no place of a list. */
function checkPaths(
  value: unknown,
  source: Source,
  diagnostics: Diagnostics,
  spoiled: SourcePosition[],
  at: readonly (string | number)[] = [],
): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = [...at, Array.isArray(value) ? Number(key) : key];
    const named = Array.isArray(value) ? at.at(-1) : key;
    const isPath = typeof inner === "string" && pathKeysOf.includes(String(named)) && !isText(here);
    // What a query calls a parameter may have any brackets: `page[size]`.
    const isMember = named === "name" && !here.includes("members") && /^[^.[\]]+(\[[^.[\]]*\])+$/.test(String(inner));
    const problem = isPath && !isMember ? wrongPath(inner) : undefined;
    if (problem === undefined) checkPaths(inner, source, diagnostics, spoiled, here);
    else {
      const siblings = Array.isArray(value) ? [] : Object.keys(value).map((other) => source.at([...at, other]));
      spoiled.push(source.at(at), ...siblings);
      diagnostics.error(
        source.at(here),
        "SPEC016",
        `"${String(inner)}" ${problem}`,
        "a path has keys between dots, and `[0]` or `[-1]` for a place in a list",
        { loses: [{ kind: "path", name: String(inner) }] },
      );
    }
  }
}

/** Keys of these names that hold texts: examples, requests, and the code and explanation of an error. */
function isText(at: readonly (string | number)[]): boolean {
  const [first, second] = at;
  return (
    ["example", "compat", "webhooks"].includes(String(first)) ||
    at.some((key) => ["example", "default", "as", "values", "fixed", "auth", "headers"].includes(String(key))) ||
    (first === "errors" && (second === "rest" || second === "graphql"))
  );
}

/** Two values from one variable would be the same text. Kinds of credentials may share variables: one of them is used. */
function checkEnvironment({ spec, source }: LoadedConnector, diagnostics: Diagnostics): void {
  const { auth, variables = {}, graphql, rest } = spec.platform;
  type Taken = readonly [name: string | undefined, at: readonly (string | number)[]];
  const ofApis: readonly Taken[] = [
    ...Object.entries(variables).map(([name, { env }]): Taken => [env, ["platform", "variables", name, "env"]]),
    [graphql?.env, ["platform", "graphql", "env"]],
    [rest?.env, ["platform", "rest", "env"]],
  ];
  for (const [index, { env }] of authSpecs(spec.platform).entries()) {
    const at = ["platform", "auth", ...(Array.isArray(auth) ? [index] : []), "env"];
    const own =
      typeof env === "string" ? [[env, at] as const] : Object.entries(env).map(([key, name]): Taken => [name, [...at, key]]);
    const used = new Set<string>();
    for (const [name, place] of [...own, ...ofApis]) {
      if (name === undefined) continue;
      if (used.has(name))
        diagnostics.error(source.at(place), "SPEC010", `the variable "${name}" already has another value of this connector`);
      used.add(name);
    }
  }
}

/** Reports fixed headers that would replace what Tenon sends itself, such as the credential. */
function checkHeaders({ spec, source }: LoadedConnector, diagnostics: Diagnostics): void {
  const taken = new Set([
    "user-agent",
    ...authSpecs(spec.platform).map(({ header, query }) =>
      query === undefined ? (header ?? "authorization").toLowerCase() : "",
    ),
  ]);
  for (const api of ["graphql", "rest"] as const)
    for (const header of Object.keys(spec.platform[api]?.headers ?? {}))
      if (taken.has(header.toLowerCase()))
        diagnostics.error(
          source.at(["platform", api, "headers", header]),
          "SPEC016",
          `the header "${header}" is set by Tenon, so it cannot be fixed`,
        );
}
