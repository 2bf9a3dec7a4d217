import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { isJsonObject, isList, type Json, type OpenApi, pointerKeys } from "../model/open-api.ts";

// What keeps lists of records from being found in an OpenAPI description.

/** Most references that are named. */
const mostNamed = 5;

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Why a description has no lists of records, as the end of a sentence. */
export function whyNoLists(api: OpenApi): string {
  const root = isJsonObject(api.root) ? api.root : {};
  const { paths } = root;
  if (paths === undefined) {
    const near = nearest("paths", Object.keys(root));
    return `it has no key \`paths\`${near === undefined ? "" : `; did you mean the key "${near}"?`}`;
  }
  if (!isJsonObject(paths)) return "`paths` must be a mapping from paths to their calls";
  const [broken] = brokenReferences(api);
  if (broken !== undefined) return broken;
  for (const [path, item] of Object.entries(paths))
    for (const [method, call] of Object.entries(isJsonObject(item) ? item : {}))
      if (methods.includes(method) && isJsonObject(call) && call["responses"] === undefined) {
        const near = nearest("responses", Object.keys(call));
        return `${method.toUpperCase()} ${path} has no key \`responses\`${near === undefined ? "" : `; did you mean the key "${near}"?`}`;
      }
  return "a list is a GET whose response of JSON is an array of objects, or an object with such an array";
}

/** The references of a description to what is not in it, each once and with its place. */
export function brokenReferences(api: OpenApi): readonly string[] {
  const found = new Map<string, string>();
  const visit = (value: Json | undefined, place: string): void => {
    if (found.size >= mostNamed) return;
    if (isList(value)) for (const [index, one] of value.entries()) visit(one, `${place}/${index}`);
    if (!isJsonObject(value)) return;
    const { $ref: to } = value;
    const wrong = typeof to === "string" ? referenceFault(api, to) : undefined;
    if (typeof to === "string" && wrong !== undefined && !found.has(to))
      found.set(to, `the reference "${to}" at ${place} ${wrong}`);
    // What examples hold is not read as a description.
    for (const [key, one] of Object.entries(value)) if (!/^examples?$/.test(key)) visit(one, `${place}/${escaped(key)}`);
  };
  visit(api.root, "#");
  return [...found.values()];
}

/** What is wrong with a reference; undefined for one to a place in the description. */
function referenceFault(api: OpenApi, to: string): string | undefined {
  if (!to.startsWith("#")) return "is to another file: join the files of the description into one";
  const keys = pointerKeys(to);
  if (api.at(keys) !== undefined) return undefined;
  const around = api.at(keys.slice(0, -1));
  const hint = isJsonObject(around) ? suggestion(keys.at(-1) ?? "", Object.keys(around)) : undefined;
  return `is to nothing${hint === undefined ? "" : `; ${hint}`}`;
}

const escaped = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1");
