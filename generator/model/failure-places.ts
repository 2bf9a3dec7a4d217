import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { type FailureSign, parseErrorKey, pathKeys, usualCodes, usualMessages } from "../../runtime/contract/index.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import { alternatives, elementSchema, isNullable, jsonTypeIn, jsonTypes, propertyNames, schemaAt } from "./json-schema.ts";
import { isJsonObject, type JsonSchema, type PlatformDescription } from "./platform-description.ts";
import { noPlace } from "./simulator-file.ts";

const overridesHint = "`overrides` of the REST API changes a description that is wrong";

/** A place in the responses of the calls that a connector makes. */
interface Place {
  /** What the responses have there. */
  readonly found: readonly JsonSchema[];
  /** Some response may have anything there. */
  readonly open: boolean;
  /** Places that the responses have where the path ends for them. */
  readonly instead: readonly string[];
}

/** Checks the places and values by which the spec recognizes a refusal against the responses in the platform's description. */
export function checkFailurePlaces(connector: LoadedConnector, platform: PlatformDescription, diagnostics: Diagnostics): void {
  const { spec, source } = connector;
  const { when, places = {} } = spec.errors ?? {};
  const calls = [
    ...new Set(connector.entities.flatMap((one) => Object.values(one.spec.actions).flatMap((action) => action.rest ?? []))),
  ];
  const responses = calls.flatMap((call) => {
    const [method = "", path = ""] = call.split(" ");
    return platform.rest(method, path)?.responses ?? [];
  });
  const schemas = responses.map((one) => one.schema);
  if (schemas.length === 0) return;
  const describesRefusals = responses.some((one) => one.refusal);
  const unknown = (at: readonly (string | number)[], text: string, { instead }: Place) =>
    diagnostics.error(
      source.at(at),
      "SPEC007",
      `no response of the platform has "${text}"`,
      suggestion(text, instead) ?? overridesHint,
      { says: noPlace(text) },
    );

  for (const [index, condition] of [when ?? []].flat().entries())
    for (const [text, sign] of Object.entries(condition)) {
      if (text === "HTTP status")
        for (const status of valuesOf(sign))
          if (typeof status !== "number" || status < 200 || status > 299)
            diagnostics.error(
              source.at(["errors", "when", ...(Array.isArray(when) ? [index] : []), text]),
              "SPEC016",
              `the status ${String(status)} is not a success; other statuses are errors without a condition`,
              "200 to 299",
            );
      if (/^(header \S+|HTTP status)$/.test(text)) continue;
      const at = ["errors", "when", ...(Array.isArray(when) ? [index] : []), text];
      const place = placeIn(schemas, text, platform);
      if (place.open) continue;
      if (place.found.length === 0) unknown(at, text, place);
      else
        for (const value of valuesOf(sign))
          checkValue(
            value,
            place.found,
            (message, hint) =>
              diagnostics.error(source.at(at), "SPEC007", `"${text}" in the platform's responses ${message}`, hint),
            platform,
          );
    }

  for (const [what, written] of Object.entries(places))
    for (const [index, text] of [written].flat().entries()) {
      const place = placeIn(schemas, text, platform);
      if (what === "fields" && place.found.length > 0 && place.found.every((one) => saysNothing(one, platform)))
        diagnostics.error(
          source.at(["errors", "places", what, ...(Array.isArray(written) ? [index] : [])]),
          "SPEC007",
          `the members of "${text}" in the platform's responses are objects without a text`,
          `it may be in: ${usualMessages.filter((one) => !one.includes(".")).join(", ")}`,
        );
      if (place.open || place.found.length > 0) continue;
      // Where only successes are described, a refusal may have more members, but hardly one that is spelled almost like another.
      if (describesRefusals || (when !== undefined && nearest(text, place.instead) !== undefined))
        unknown(["errors", "places", what, ...(Array.isArray(written) ? [index] : [])], text, place);
    }

  checkCodes(connector, schemas, platform, diagnostics, describesRefusals || when !== undefined);
}

/**
 * Checks the error codes that the spec names against those of the responses.
 *
 * @param describesAll whether a place that no response has is one that refusals do not have either
 */
function checkCodes(
  { spec, source }: LoadedConnector,
  schemas: readonly JsonSchema[],
  platform: PlatformDescription,
  diagnostics: Diagnostics,
  describesAll: boolean,
): void {
  const { places = {}, rest = {} } = spec.errors ?? {};
  const named = Object.keys(rest).flatMap((key) => {
    const { name } = parseErrorKey(key);
    return name === undefined ? [] : [{ key, name }];
  });
  const wrong = (at: readonly string[], message: string, hint?: string) =>
    diagnostics.error(source.at(["errors", ...at]), "SPEC007", message, hint);
  const texts = places.code === undefined ? usualCodes : [places.code].flat();
  const codes = texts.map((text) => placeIn(schemas, text, platform));
  if (named.length === 0 || codes.some(({ open }) => open)) return;
  const found = codes.flatMap((one) => one.found);
  if (places.code === undefined && found.length === 0) {
    const message = `no response of the platform has an error code at ${texts.map((text) => `"${text}"`).join(", ")}, so the names in \`rest\` have no effect`;
    if (describesAll) wrong(["places"], message, "`places.code` says where the code is");
    return;
  }
  const known = found.map((one) => enumOf(one, platform));
  // A place that no response has is reported above.
  if ((places.code !== undefined && codes.some((one) => one.found.length === 0)) || known.some((values) => values === undefined))
    return;
  const values = new Set(known.flatMap((one) => one ?? []).map(String));
  const unknown = named.filter(({ name }) => !values.has(name));
  if (unknown.length > 1 && unknown.length === named.length)
    wrong(["places"], `the platform has none of the ${unknown.length} error codes in \`rest\``, suggestion("", values));
  else
    for (const { key, name } of unknown)
      wrong(["rest", key], `the platform has no error code "${name}"`, suggestion(name, values));
}

function placeIn(schemas: readonly JsonSchema[], text: string, platform: PlatformDescription): Place {
  const found: JsonSchema[] = [];
  const instead = new Set<string>();
  let open = false;
  for (const schema of schemas) {
    let here = schema;
    let before = "";
    const rest = [...pathKeys(text)];
    for (let key = rest.shift(); key !== undefined; key = rest.shift()) {
      const next = schemaAt(here, [key], platform);
      if (next === undefined) {
        open ||= isOpen(here, platform);
        for (const name of propertyNames(here, platform)) instead.add(`${before}${name}`);
        break;
      }
      here = next;
      before += `${key}.`;
      if (rest.length === 0) found.push(here);
    }
  }
  return { found, open, instead: [...instead] };
}

/** Whether all members of an object, or the elements of those that are lists, are objects without a text where errors have one. */
function saysNothing(schema: JsonSchema, platform: PlatformDescription): boolean {
  const more = alternatives(schema, platform).map((one) => one["additionalProperties"]);
  const named = propertyNames(schema, platform).map((name) => schemaAt(schema, [name], platform));
  const members = [...more, ...named].filter(isJsonObject).map((one) => elementSchema(one, platform) ?? one);
  return (
    members.length > 0 &&
    members.every((one) => {
      const names = propertyNames(one, platform);
      return names.length > 0 && !names.some((name) => usualMessages.includes(name));
    })
  );
}

/** A schema that names no property, or allows more than it names. */
function isOpen(schema: JsonSchema, platform: PlatformDescription): boolean {
  const types = alternatives(schema, platform).flatMap(jsonTypes);
  if (types.length > 0 && !types.includes("object") && !types.includes("array")) return false;
  const { additionalProperties: more = false } = Object.assign({}, ...alternatives(schema, platform)) as JsonSchema;
  return more !== false || propertyNames(schema, platform).length === 0;
}

/** The values that a condition names. */
export function valuesOf(sign: FailureSign): readonly (string | number | boolean | null)[] {
  if (Array.isArray(sign)) return sign;
  return [typeof sign === "object" && sign !== null && "not" in sign ? sign.not : sign].flat();
}

/** The values that a schema allows. One value alone describes the successes, and says nothing of refusals. */
function enumOf(schema: JsonSchema, platform: PlatformDescription): readonly unknown[] | undefined {
  const lists = alternatives(schema, platform).flatMap((one) => (Array.isArray(one["enum"]) ? [one["enum"] as unknown[]] : []));
  const values = [...new Set(lists.flat())];
  return values.length > 1 ? values : undefined;
}

/** Reports a value of a condition that a response never has. */
export function checkValue(
  value: string | number | boolean | null,
  schemas: readonly JsonSchema[],
  report: (message: string, hint?: string) => void,
  platform: PlatformDescription,
): void {
  const options = schemas.map((one) => alternatives(one, platform));
  const types = [...new Set(options.flat().flatMap(jsonTypes))];
  const type = jsonTypeIn(value);
  const fits =
    value === null ? options.some(isNullable) : types.includes(type) || (type === "integer" && types.includes("number"));
  const enums = schemas.map((one) => enumOf(one, platform));
  if (options.some((one) => one.flatMap(jsonTypes).length === 0)) return;
  if (!fits) report(`is ${types.join(" or ")}, and never ${JSON.stringify(value)}`);
  else if (value !== null && enums.every((one) => one !== undefined && !one.includes(value)))
    report(
      `is never ${JSON.stringify(value)}`,
      suggestion(String(value), new Set(enums.flatMap((one) => one ?? []).map(String))),
    );
}
