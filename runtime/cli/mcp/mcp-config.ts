import { isItem } from "../output/record-cell.ts";

type Members = Readonly<Record<string, unknown>>;

/** An entry for the configuration of an MCP client: one server, and the values that the client asks its user for. */
export interface Addition {
  /** Where in the file its servers are. */
  readonly servers: string;
  readonly name: string;
  readonly entry: Members;
  readonly inputs: readonly { readonly id: string }[];
  /** Variables that a user may have filled in, in an earlier entry of the same name. */
  readonly secrets: readonly string[];
}

/**
 * Adds a server to the JSON of a client. Other servers and settings stay as they are. Of an earlier entry of the same name, secrets stay
 * that have been filled in, and variables that the new entry does not have.
 *
 * @param text content of the file; empty where there is none
 * @returns the new content; undefined when the text is not a JSON object, which has to be changed by hand
 */
export function withJson(text: string, { servers, name, entry, inputs, secrets }: Addition): string | undefined {
  const config = text.trim() === "" ? {} : parsed(text);
  const before = isItem(config) ? (config[servers] ?? {}) : undefined;
  const asked = isItem(config) ? (config["inputs"] ?? []) : undefined;
  if (!isItem(config) || !isItem(before) || !Array.isArray(asked)) return undefined;
  const known = before[name];
  const added = inputs.filter(({ id }) => !asked.some((one: unknown) => isItem(one) && one["id"] === id));
  const changed = {
    ...config,
    ...(added.length === 0 ? {} : { inputs: [...asked, ...added] }),
    [servers]: { ...before, [name]: filled(entry, isItem(known) ? known["env"] : undefined, secrets) },
  };
  return `${JSON.stringify(changed, undefined, 2)}\n`;
}

/**
 * The same for TOML: replaces the tables of the server, or adds them at the end.
 *
 * @returns undefined when the servers are written in another form than as tables
 */
export function withToml(text: string, { servers, name, entry, secrets }: Addition): string | undefined {
  const isInline = new RegExp(`^\\s*${servers}\\s*(=|\\.)`, "m").test(text);
  if (isInline) return undefined;
  const isOwn = (header: string) => header === `${servers}.${name}` || header.startsWith(`${servers}.${name}.`);
  const kept: string[] = [];
  const own: string[] = [];
  let inOwn = false;
  for (const line of text.split("\n")) {
    const header = /^\s*\[\[?\s*([\w.\-"' ]+?)\s*\]\]?\s*(#.*)?$/.exec(line)?.[1];
    if (header !== undefined) inOwn = isOwn(header.replace(/["' ]/g, ""));
    (inOwn ? own : kept).push(line);
  }
  const env = Object.fromEntries(
    [...own.join("\n").matchAll(/\b([A-Z][A-Z0-9_]*)\s*=\s*("(?:[^"\\]|\\.)*")/g)].map(([, key = "", value = ""]) => [
      key,
      parsed(value),
    ]),
  );
  const before = kept.join("\n").trimEnd();
  return `${before === "" ? "" : `${before}\n\n`}${tables(`${servers}.${name}`, filled(entry, env, secrets))}`;
}

/** An entry with the values of variables that were filled in before. */
function filled(entry: Members, known: unknown, secrets: readonly string[]): Members {
  const env = entry["env"];
  if (!isItem(env) || !isItem(known)) return entry;
  const isKept = (key: string) => secrets.includes(key) || !Object.hasOwn(env, key);
  const values = Object.entries(known).filter(([key, value]) => typeof value === "string" && value !== "" && isKept(key));
  return { ...entry, env: { ...env, ...Object.fromEntries(values) } };
}

/** Tables of TOML. A JSON text is a basic string of TOML, and a list of texts a list. */
function tables(path: string, members: Members): string {
  const own = Object.entries(members).filter(([, value]) => !isItem(value));
  const inner = Object.entries(members).flatMap(([key, value]) => (isItem(value) ? [tables(`${path}.${key}`, value)] : []));
  return [`[${path}]\n${own.map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`).join("")}`, ...inner].join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
