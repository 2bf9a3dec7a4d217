import { suggestion } from "../../runtime/base/suggestion.ts";
import type { AuthKind } from "../../runtime/contract/index.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import type { Source } from "../load/source.ts";
import type { AuthSpec, PlatformSpec } from "../load/spec.ts";

/** The kinds of authentication as a list, also where there is only one. */
export function authSpecs({ auth }: PlatformSpec): readonly AuthSpec[] {
  return Array.isArray(auth) ? (auth as readonly AuthSpec[]) : [auth as AuthSpec];
}

/** Reports something about one kind, at the place of its keys. */
type Report = (keys: readonly string[], code: "SPEC003" | "SPEC005" | "SPEC016", message: string, hint?: string) => void;

/** The ways in which the platform takes a credential, checked and completed. */
export function authKinds(platform: PlatformSpec, source: Source, diagnostics: Diagnostics): AuthKind[] {
  const list = Array.isArray(platform.auth);
  const kinds = authSpecs(platform).map((spec, index) => {
    const report: Report = (keys, code, message, hint) =>
      diagnostics.error(source.at(["platform", "auth", ...(list ? [index] : []), ...keys]), code, message, hint);
    if (index === 0 && (spec.oauth ?? spec.app) !== undefined)
      report(
        [spec.oauth === undefined ? "app" : "oauth"],
        "SPEC016",
        "the first kind must be one whose values stand in the calls",
        "it is the kind of a credential that is given as one value, and of the simulated platform",
      );
    return authKind(spec, platform, report);
  });
  for (const [index, { name }] of kinds.entries())
    if (kinds.findIndex((other) => other.name === name) < index)
      diagnostics.error(
        source.at(["platform", "auth", index, "kind"]),
        "SPEC004",
        `there are two kinds of authentication called "${name}"`,
        "each of several needs a `kind` of its own",
      );
  return kinds;
}

function authKind(spec: AuthSpec, platform: PlatformSpec, report: Report): AuthKind {
  const values = typeof spec.env === "string" ? { token: spec.env } : spec.env;
  const grant = grantOf(spec, Object.keys(values), platform, report);
  const places = (["header", "query", "basic"] as const).filter((key) => spec[key] !== undefined);
  if (places.length > 1) report([places[1] ?? ""], "SPEC016", `a credential has one place, but this has ${places.join(" and ")}`);
  if (spec.basic !== undefined && spec.value !== undefined)
    report(["value"], "SPEC016", "`basic` is the whole text, so `value` has no effect");
  const plain = spec.header === undefined && spec.query === undefined;
  const text = spec.basic ?? spec.value ?? (plain ? "Bearer {token}" : "{token}");
  const template = text.split(/\{(\w+)\}/);
  const names = grant === undefined ? Object.keys(values) : ["token"];
  const used = namesIn(template);
  for (const name of used)
    if (!names.includes(name))
      report(
        [spec.basic === undefined ? "value" : "basic"],
        "SPEC003",
        `the credential has no value "${name}"`,
        suggestion(name, names),
      );
  for (const name of names)
    if (!used.includes(name)) report(["env"], "SPEC005", `the value "${name}" of the credential is never used`);
  return {
    name: spec.kind ?? "token",
    values,
    doc: spec.doc,
    place:
      spec.basic !== undefined
        ? { in: "basic", template }
        : spec.query !== undefined
          ? { in: "query", name: spec.query, template }
          : { in: "header", name: spec.header ?? "Authorization", template },
    ...(grant === undefined ? {} : { grant }),
  };
}

/** Values that a grant needs whatever the spec says. */
const needed = { oauth: ["client_id", "client_secret", "refresh_token"], app: ["app_id", "private_key"] } as const;

function grantOf({ oauth, app }: AuthSpec, names: readonly string[], platform: PlatformSpec, report: Report): AuthKind["grant"] {
  if (oauth !== undefined && app !== undefined)
    report(["app"], "SPEC016", "a token is got in one way, but this has oauth and app");
  if (oauth === undefined && app === undefined) return undefined;
  const path = (app ?? "").split(/\{(\w+)\}/);
  const inPath = namesIn(path);
  const allowed: readonly string[] = oauth === undefined ? [...needed.app, ...inPath] : needed.oauth;
  for (const name of allowed)
    if (!names.includes(name))
      report(
        inPath.includes(name) ? ["app"] : ["env"],
        "SPEC003",
        `the credential has no value "${name}"`,
        `\`env\` needs the names ${allowed.join(", ")}`,
      );
  for (const name of names)
    if (!allowed.includes(name)) report(["env", name], "SPEC005", `the value "${name}" of the credential is never used`);
  if (app !== undefined && platform.rest === undefined)
    report(["app"], "SPEC016", "the path of `app` is one of the REST API, which is not described");
  if (oauth === undefined) return { by: "app", path };
  for (const key of ["authorize", "token", "refresh"] as const) {
    const address = oauth[key];
    // A variable of the platform may stand in it.
    if (address !== undefined && !URL.canParse(address.replace(/\{\w+\}/g, "x")))
      report(["oauth", key], "SPEC016", `"${address}" is not an address`);
  }
  return {
    by: "oauth",
    authorize: oauth.authorize,
    token: oauth.token,
    ...(oauth.refresh === undefined ? {} : { refresh: oauth.refresh }),
    ...(oauth.derive === undefined ? {} : { derive: longestFirst(oauth.derive) }),
    client: oauth.client ?? "form",
    ...(oauth.scopes === undefined ? {} : { scopes: oauth.scopes }),
    // RFC 6749, 5.2.
    refused: ["invalid_grant", ...(oauth.refused ?? [])],
  };
}

/** The names in a text that was split at them. */
function namesIn(template: readonly string[]): string[] {
  return template.filter((_, place) => place % 2 === 1);
}

/** Puts longer endings first, because the first ending that fits counts. */
export function longestFirst(endings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(endings).sort(([a], [b]) => b.length - a.length));
}
