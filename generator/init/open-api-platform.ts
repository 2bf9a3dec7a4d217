import { alternatives, jsonTypes, schemaAt } from "../model/json-schema.ts";
import { isJsonObject, isList, type OpenApi } from "../model/open-api.ts";
import type { JsonSchema, PlatformDescription } from "../model/platform-description.ts";
import { camel, type Draft, docOf, todo } from "./draft.ts";
import { unknownUrl } from "./questions.ts";

/** How calls are signed, by the description's security schemes. */
export function authOf(api: OpenApi, prefix: string): Draft | Draft[] {
  const schemes = api.at(["components", "securitySchemes"]);
  const kinds = Object.entries(isJsonObject(schemes) ? schemes : {}).flatMap(([name, value]): Draft[] => {
    const scheme = isJsonObject(value) ? api.resolve(value) : {};
    const doc = docOf(scheme["description"]);
    const kind = camel(name);
    const env = `${prefix}_${kind.replace(/([A-Z])/g, "_$1").toUpperCase()}`;
    switch (scheme["type"]) {
      case "apiKey":
        if (scheme["in"] === "cookie") return [];
        return [
          {
            kind,
            env,
            ...(scheme["in"] === "query" ? { query: String(scheme["name"]) } : headerOf(String(scheme["name"]))),
            doc,
          },
        ];
      case "http":
        return String(scheme["scheme"]).toLowerCase() === "basic"
          ? [{ kind, env: { user: `${prefix}_USER`, password: `${prefix}_PASSWORD` }, basic: "{user}:{password}", doc }]
          : [{ kind, env, doc }];
      case "oauth2":
      case "openIdConnect":
        return [{ kind, env, doc }];
      default:
        return [];
    }
  });
  const [first, ...more] = kinds;
  if (first === undefined) return { env: `${prefix}_TOKEN`, doc: todo };
  return more.length === 0 ? first : kinds;
}

function headerOf(name: string): Draft {
  return name.toLowerCase() === "authorization" ? { value: "{token}" } : { header: name };
}

/** The address, with the variables that it has. */
export function serverOf(api: OpenApi, prefix: string): Draft {
  const servers = api.at(["servers"]);
  const server = isList(servers) && isJsonObject(servers[0]) ? servers[0] : {};
  const url = typeof server["url"] === "string" && /^https?:/.test(server["url"]) ? server["url"] : unknownUrl;
  const declared = isJsonObject(server["variables"]) ? server["variables"] : {};
  const variables = Object.fromEntries(
    [...url.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
      const one = declared[name];
      const variable = isJsonObject(one) ? one : {};
      const fallback = typeof variable["default"] === "string" ? { default: variable["default"] } : {};
      return [name, { env: `${prefix}_${name.toUpperCase()}`, doc: docOf(variable["description"]), ...fallback }];
    }),
  );
  return {
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    rest: { url: url.replace(/\/+$/, ""), env: `${prefix}_API_URL`, description: "description.json" },
  };
}

/** Statuses whose meaning is the same on every platform. */
const errorCodes = { "401": "platform_unauthorized", "403": "platform_forbidden", "404": "not_found" } as const;

/** How the platform refuses: what statuses mean where the description of a drafted call lists them, and an envelope that all share. */
export function errorsOf(api: OpenApi, platform: PlatformDescription, entities: Iterable<Draft>): Draft {
  const rest: Draft = {};
  const actions = [...entities].flatMap(({ actions }) => Object.values((actions ?? {}) as Draft) as Draft[]);
  const calls = actions.map((action) => String(action["rest"]).split(" "));
  for (const [method = "", path = ""] of calls) {
    const responses = api.operation(method.toLowerCase(), path)?.operation["responses"];
    for (const [status, code] of Object.entries(errorCodes)) {
      const response = isJsonObject(responses) ? responses[status] : undefined;
      if (isJsonObject(response)) rest[status] ??= { code, doc: docOf(api.resolve(response)["description"]) };
    }
  }
  const answers = calls.map(([method = "", path = ""]) => platform.rest(method, path)?.answer).filter((one) => one !== undefined);
  const errors = { ...envelopeOf(answers, platform), ...(Object.keys(rest).length === 0 ? {} : { rest }) };
  return Object.keys(errors).length === 0 ? {} : { errors };
}

/** The member that says whether a call succeeded, where every response has one, and the places of what was wrong. */
function envelopeOf(answers: readonly JsonSchema[], platform: PlatformDescription): Draft {
  const has = (path: string, type: string) =>
    answers.length > 0 &&
    answers.every((answer) => {
      const schema = schemaAt(answer, path.split("."), platform);
      return schema !== undefined && alternatives(schema, platform).flatMap(jsonTypes).includes(type);
    });
  const sign = ["ok", "success"].find((name) => has(name, "boolean"));
  if (sign === undefined) return {};
  const first = (paths: readonly string[]) => paths.find((path) => has(path, "string"));
  const code = first(["error.code", "error.type", "error_code", "code", "error"]);
  const message = first(["error.message", "error_message", "message", "error_description", "error"]);
  const places = { ...(code === undefined ? {} : { code }), ...(message === undefined ? {} : { message }) };
  return { when: { [sign]: false }, ...(Object.keys(places).length === 0 ? {} : { places }) };
}

/** What the author has to check of a drafted envelope. */
export function envelopeCheck({ errors }: { readonly errors?: { readonly when?: object } }): string[] {
  if (errors?.when === undefined) return [];
  const [sign = ""] = Object.keys(errors.when);
  return [
    `connector.yaml errors: every response has "${sign}", so \`${sign}: false\` is drafted as a refusal. Check it, and say in \`rest\` what each code of the platform means`,
  ];
}
