import { isJsonObject, type OpenApi } from "../model/open-api.ts";
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

/**
 * The address, with the variables that it has. A relative one is resolved against the address of the description (OpenAPI 3.1, Server
 * Object).
 *
 * @param from where the description is from, which may be a file
 * @returns `open`: what the author has to check
 */
export function serverOf(api: OpenApi, prefix: string, from: string): { readonly platform: Draft; readonly open: string[] } {
  const described = api.at(["servers", "0", "url"]);
  const given = typeof described === "string" ? described : "";
  const isWhole = isWeb.test(given);
  const found = isWhole ? given : resolved(given, from);
  const variables: Draft = {};
  const url = (found ?? unknownUrl).replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const own = /^[A-Za-z]\w*$/.test(name) ? name : camel(name);
    const one = api.at(["servers", "0", "variables", name]);
    const variable = isJsonObject(one) ? one : {};
    const fallback = typeof variable["default"] === "string" ? { default: variable["default"] } : {};
    const env = `${prefix}_${name.replace(/\W+/g, "_").toUpperCase()}`;
    variables[own] = { env, doc: docOf(variable["description"]), ...fallback };
    return `{${own}}`;
  });
  const rest = { url: url.replace(/\/+$/, ""), env: `${prefix}_API_URL`, description: "description.json" };
  return {
    platform: { ...(Object.keys(variables).length === 0 ? {} : { variables }), rest },
    open:
      isWhole || found === undefined
        ? []
        : [
            `connector.yaml platform.rest.url: the description has "${given}", which is relative to its own address. Check that the API is at ${rest.url}`,
          ],
  };
}

const isWeb = /^https?:/i;

/** The whole address for a relative one; undefined where nothing says it. */
function resolved(given: string, from: string): string | undefined {
  // What begins with a variable may be whole already.
  if (given === "" || given.startsWith("{") || !isWeb.test(from) || !URL.canParse(given, from)) return undefined;
  const { href } = new URL(given, from);
  return isWeb.test(href) ? href.replaceAll("%7B", "{").replaceAll("%7D", "}") : undefined;
}
