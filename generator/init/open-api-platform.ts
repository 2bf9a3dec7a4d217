import { isJsonObject, isList, type OpenApi } from "../model/open-api.ts";
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
