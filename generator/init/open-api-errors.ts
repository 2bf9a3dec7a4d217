import { alternatives, jsonTypes, propertyNames, schemaAt } from "../model/json-schema.ts";
import { isJsonObject, isList, type OpenApi } from "../model/open-api.ts";
import type { JsonSchema, PlatformDescription } from "../model/platform-description.ts";
import { type Draft, docOf, todo } from "./draft.ts";

/** Statuses whose meaning is the same on every platform. */
const statusCodes: Readonly<Record<string, Draft>> = {
  "400": { code: "platform_rejected" },
  "401": { code: "platform_unauthorized" },
  "402": { code: "platform_rejected" },
  "403": { code: "platform_forbidden" },
  "404": { code: "not_found" },
  "405": { code: "platform_rejected" },
  "409": { code: "platform_rejected" },
  "413": { code: "platform_rejected" },
  "422": { code: "platform_rejected" },
};

/** What the words of a platform's own code mean; the first that fits. */
const wordCodes: readonly (readonly [words: RegExp, entry: Draft])[] = [
  [/cursor/, { code: "bad_cursor" }],
  [/rate_?limit/, { code: "rate_limited" }],
  [
    /insufficient_scope|missing_scope|restricted|forbidden|permission|not_allowed|^cant_|^not_in_/,
    { code: "platform_forbidden" },
  ],
  [
    /unauthorized|unauthenticated|(invalid|missing|bad)_(auth|token|key)|not_authed|token_(revoked|expired)|account_inactive/,
    { code: "platform_unauthorized" },
  ],
  [/not_found|_missing$/, { code: "not_found" }],
  [/internal|unavailable|timeout|^fatal|conflict/, { code: "platform_failed", retry: true }],
  [/invalid|validation|missing|rejected/, { code: "platform_rejected" }],
];

const codePlaces = ["error.code", "error.type", "error_code", "code", "error"];
const messagePlaces = [
  "error.message",
  "error_message",
  "message",
  "error_description",
  "errorMessages",
  "errorMessage",
  "err",
  "error",
];

/**
 * How the platform refuses: what its statuses and its own codes mean, as far as the calls of the draft list them, where a refusal has its
 * code and message, and the envelope that all responses share.
 */
export function errorsOf(api: OpenApi, platform: PlatformDescription, entities: Iterable<Draft>): Draft {
  const rest: Draft = {};
  const actions = [...entities].flatMap(({ actions }) => Object.values((actions ?? {}) as Draft) as Draft[]);
  const calls = actions.map((action) => String(action["rest"]).split(" "));
  const refusals: JsonSchema[] = [];
  for (const [method = "", path = ""] of calls) {
    const responses = api.operation(method.toLowerCase(), path)?.operation["responses"];
    for (const [status, entry] of Object.entries(statusCodes)) {
      const response = isJsonObject(responses) ? responses[status] : undefined;
      if (isJsonObject(response)) rest[status] ??= { ...entry, doc: docOf(api.resolve(response)["description"]) };
    }
    refusals.push(...(platform.rest(method, path)?.responses ?? []).flatMap(({ refusal, schema }) => (refusal ? [schema] : [])));
  }
  const answers = calls.map(([method = "", path = ""]) => platform.rest(method, path)?.answer).filter((one) => one !== undefined);
  const sign = ["ok", "success"].find((name) => isEverywhere(name, "boolean", answers, platform));
  const schemas = [...new Set(sign === undefined ? refusals : answers)];
  const places = placesIn(schemas, platform);
  for (const code of codesAt(schemas, places, platform)) {
    const [, entry] = wordCodes.find(([words]) => words.test(code)) ?? [];
    if (entry !== undefined) rest[code] ??= { ...entry, doc: todo };
  }
  const errors = {
    ...(sign === undefined ? {} : { when: { [sign]: false } }),
    ...(Object.keys(places).length === 0 ? {} : { places }),
    ...(Object.keys(rest).length === 0 ? {} : { rest }),
  };
  return Object.keys(errors).length === 0 ? {} : { errors };
}

/** Where refusals have their code, their message and what was wrong with each parameter. */
function placesIn(schemas: readonly JsonSchema[], platform: PlatformDescription): Draft {
  if (schemas.length === 0) return {};
  const first = (paths: readonly string[], type: string) => paths.find((path) => isEverywhere(path, type, schemas, platform));
  const code = first(codePlaces, "string");
  const all = (type: string) => messagePlaces.filter((path) => isEverywhere(path, type, schemas, platform));
  const messages = [...new Set([...all("array"), ...all("string")])].filter((path) => path !== code || code === "error");
  const field = first(["error.param", "error.field", "param"], "string");
  const fields = first(["errors", "message", "error.errors"], "object");
  const message = code === "error" && messages.includes("message") ? messages : messages[0];
  return {
    ...(message === undefined ? {} : { message }),
    ...(code === undefined ? {} : { code }),
    ...(field === undefined ? {} : { field }),
    ...(fields === undefined ? {} : { fields }),
  };
}

/** The platform's own codes, where the description lists them. */
function codesAt(schemas: readonly JsonSchema[], places: Draft, platform: PlatformDescription): string[] {
  const { code } = places;
  if (typeof code !== "string") return [];
  const values = schemas.flatMap((schema) =>
    alternatives(schemaAt(schema, code.split("."), platform) ?? {}, platform).flatMap((one) =>
      isList(one["enum"]) ? one["enum"] : [],
    ),
  );
  return [...new Set(values.filter((one) => typeof one === "string"))];
}

function isEverywhere(path: string, type: string, schemas: readonly JsonSchema[], platform: PlatformDescription): boolean {
  return (
    schemas.length > 0 &&
    schemas.every((answer) => {
      const schema = schemaAt(answer, path.split("."), platform);
      if (schema === undefined) return false;
      const kinds = alternatives(schema, platform).flatMap(jsonTypes);
      return kinds.includes(type) && (type !== "object" || propertyNames(schema, platform).length === 0);
    })
  );
}

/** What the author has to check of a drafted envelope. */
export function envelopeCheck({ errors }: { readonly errors?: { readonly when?: object } }): string[] {
  if (errors?.when === undefined) return [];
  const [sign = ""] = Object.keys(errors.when);
  return [
    `connector.yaml errors: every response has "${sign}", so \`${sign}: false\` is drafted as a refusal. Check it, and say in \`rest\` what each code of the platform means`,
  ];
}
