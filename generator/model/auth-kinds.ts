import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import type { AuthKind, BodySignature, CredentialPlace } from "../../runtime/contract/index.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import type { Source } from "../load/source.ts";
import type { AuthSpec, PlaceSpec, PlatformSpec, SignSpec } from "../load/spec.ts";

/** The kinds of authentication as a list, also where there is only one. */
export function authSpecs({ auth }: PlatformSpec): readonly AuthSpec[] {
  return Array.isArray(auth) ? (auth as readonly AuthSpec[]) : [auth as AuthSpec];
}

/** Reports something about one kind, at the place of its keys. */
type Report = (
  keys: readonly (string | number)[],
  code: "SPEC003" | "SPEC005" | "SPEC016",
  message: string,
  hint?: string,
) => void;

/** The ways in which the platform takes a credential, checked and completed. */
export function authKinds(platform: PlatformSpec, source: Source, diagnostics: Diagnostics): AuthKind[] {
  const list = Array.isArray(platform.auth);
  const kinds = authSpecs(platform).map((spec, index) => {
    const report: Report = (keys, ...rest) =>
      diagnostics.error(source.at(["platform", "auth", ...(list ? [index] : []), ...keys]), ...rest);
    if (index === 0 && (spec.oauth ?? spec.app) !== undefined)
      report(
        [spec.oauth === undefined ? "app" : "oauth"],
        "SPEC016",
        "the first kind must be one whose values the calls contain",
        "it is the kind of a credential of one value, and of the simulated platform",
      );
    return authKind(spec, platform, report);
  });
  for (const [index, { name }] of kinds.entries())
    if (kinds.findIndex((other) => other.name === name) < index)
      diagnostics.error(
        source.at(["platform", "auth", index, "kind"]),
        "SPEC004",
        `there are two kinds of authentication called "${name}"`,
        "if there are several, each needs its own `kind`",
      );
  return kinds;
}

function authKind(spec: AuthSpec, platform: PlatformSpec, report: Report): AuthKind {
  const values = typeof spec.env === "string" ? { token: spec.env } : spec.env;
  const grant = grantOf(spec, Object.keys(values), platform, report);
  const names = grant === undefined ? Object.keys(values) : ["token"];
  const place = placeOf(spec, names, report);
  const forms = (spec.forms ?? []).map((form, index) => {
    const inForm: Report = (keys, ...more) => report(["forms", index, ...keys], ...more);
    checkPattern(form.matches, inForm);
    return { matches: form.matches, place: placeOf(form, names, inForm) };
  });
  if (forms.length > 0 && names.length > 1)
    report(["forms"], "SPEC016", "the form follows from the one value of a credential, but this has several");
  const sign = spec.sign === undefined ? undefined : signatureOf(spec.sign, names, report);
  const used = [...[place, ...forms.map((form) => form.place)].flatMap(({ template }) => namesIn(template)), sign?.with];
  const isMisspelled = used.some((name) => name !== undefined && !names.includes(name));
  for (const name of names)
    if (!used.includes(name) && !isMisspelled) report(["env"], "SPEC005", `the value "${name}" of the credential is never used`);
  return {
    name: spec.kind ?? "token",
    values,
    doc: spec.doc,
    place,
    ...(forms.length === 0 ? {} : { forms }),
    ...(sign === undefined ? {} : { sign }),
    ...(grant === undefined ? {} : { grant }),
  };
}

/** Where a call carries its credential. @param names of the values of the credential */
function placeOf(spec: PlaceSpec, names: readonly string[], report: Report): CredentialPlace {
  const places = (["header", "query", "basic"] as const).filter((key) => spec[key] !== undefined);
  if (places.length > 1) report([places[1] ?? ""], "SPEC016", `a credential has one place, but this has ${places.join(" and ")}`);
  if (spec.basic !== undefined && spec.value !== undefined)
    report(["value"], "SPEC016", "`basic` is the whole text, so `value` has no effect");
  const plain = spec.header === undefined && spec.query === undefined;
  const text = spec.basic ?? spec.value ?? (plain ? "Bearer {token}" : "{token}");
  const template = text.split(/\{(\w+)\}/);
  const at = spec.basic === undefined ? "value" : "basic";
  for (const name of namesIn(template))
    if (!names.includes(name)) report([at], "SPEC003", `the credential has no value "${name}"`, suggestion(name, names));
  if (spec.basic !== undefined) return { in: "basic", template };
  return spec.query === undefined
    ? { in: "header", name: spec.header ?? "Authorization", template }
    : { in: "query", name: spec.query, template };
}

function checkPattern(pattern: string, report: Report): void {
  try {
    if (new RegExp(pattern).test("")) report(["matches"], "SPEC016", `the pattern "${pattern}" matches every credential`);
  } catch {
    report(["matches"], "SPEC016", `"${pattern}" is not a regular expression`);
  }
}

const signedParts = ["timestamp", "method", "path", "body"];

/** The signature of a call, checked and completed. */
function signatureOf(spec: SignSpec, names: readonly string[], report: Report): BodySignature {
  const of = spec.of.split(/\{(\w+)\}/);
  const parts = namesIn(of);
  for (const part of parts)
    if (!signedParts.includes(part)) report(["sign", "of"], "SPEC003", `a call has no "${part}"`, suggestion(part, signedParts));
  if (!parts.includes("body")) report(["sign", "of"], "SPEC016", "the signature has no `{body}`, so it proves nothing of it");
  if (parts.includes("timestamp") !== (spec.timestamp !== undefined))
    report(
      ["sign", spec.timestamp === undefined ? "of" : "timestamp"],
      "SPEC016",
      "`timestamp` needs a header and a place in `of`, because the platform has to know it",
    );
  if (!names.includes(spec.with))
    report(["sign", "with"], "SPEC003", `the credential has no value "${spec.with}"`, suggestion(spec.with, names));
  return {
    header: spec.header,
    of,
    with: spec.with,
    algorithm: spec.algorithm ?? "sha256",
    encoding: spec.encoding ?? "hex",
    ...(spec.prefix === undefined ? {} : { prefix: spec.prefix }),
    ...(spec.timestamp === undefined ? {} : { timestamp: { header: spec.timestamp.header, as: spec.timestamp.as ?? "seconds" } }),
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
  const others = names.filter((name) => !allowed.includes(name));
  const meant = new Map<string, string>();
  for (const name of allowed.filter((one) => !names.includes(one))) {
    const near = nearest(name, others);
    if (near !== undefined) meant.set(near, name);
    else
      report(
        inPath.includes(name) ? ["app"] : ["env"],
        "SPEC003",
        `the credential has no value "${name}"`,
        `\`env\` needs the names ${allowed.join(", ")}`,
      );
  }
  for (const name of others)
    if (meant.has(name))
      report(["env", name], "SPEC003", `a credential of this kind has no value "${name}"`, `did you mean "${meant.get(name)}"?`);
    else report(["env", name], "SPEC005", `the value "${name}" of the credential is never used`);
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
