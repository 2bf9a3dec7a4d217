import { isItem } from "../output/record-cell.ts";
import { readToml, type Statement, textsOf, tomlNames } from "./toml.ts";

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

/** How a client reaches a server. What else an earlier entry has is its user's own, such as a timeout. */
const ways: readonly string[] = ["type", "command", "args", "env", "url", "headers", "bearer_token_env_var"];

/**
 * Adds a server to the JSON of a client. Other servers and settings stay as they are. Of an earlier entry of the same name, settings stay
 * that do not say how to reach it, secrets that have been filled in, and variables that the new entry does not have.
 *
 * @param text content of the file; empty where there is none
 * @returns the new content; undefined when the text is not a JSON object, which has to be changed by hand
 */
export function withJson(text: string, { servers, name, entry, inputs, secrets }: Addition): string | undefined {
  // Some editors begin a file with a byte order mark, which JSON has not (RFC 8259, section 8.1).
  const config = text.trim() === "" ? {} : parsed(text.replace(/^\uFEFF/, ""));
  const before = isItem(config) ? (config[servers] ?? {}) : undefined;
  const asked = isItem(config) ? (config["inputs"] ?? []) : undefined;
  if (!isItem(config) || !isItem(before) || !Array.isArray(asked)) return undefined;
  const known = isItem(before[name]) ? before[name] : {};
  const own = Object.fromEntries(Object.entries(known).filter(([key]) => !ways.includes(key)));
  const added = inputs.filter(({ id }) => !asked.some((one: unknown) => isItem(one) && one["id"] === id));
  const changed = {
    ...config,
    ...(added.length === 0 ? {} : { inputs: [...asked, ...added] }),
    [servers]: { ...before, [name]: { ...filled(entry, known["env"], secrets), ...own } },
  };
  return `${JSON.stringify(changed, undefined, 2)}\n`;
}

/**
 * The same for TOML: replaces the tables of the server, or adds them at the end.
 *
 * @returns undefined when the text is not TOML, or the servers are written in another form than as tables
 */
export function withToml(text: string, { servers, name, entry, secrets }: Addition): string | undefined {
  const statements = readToml(text);
  if (statements?.some((one) => isInline(one, servers, name)) !== false) return undefined;
  const isOwn = ({ table }: Statement) => table[0] === servers && table[1] === name;
  const kept: string[] = [];
  // Of the server: in its own table, and in tables below it.
  const own: string[] = [];
  const below: string[] = [];
  let env: Readonly<Record<string, string>> = {};
  for (const [at, one] of statements.entries()) {
    const next = statements.slice(at).find(({ kind }) => kind !== "blank");
    const [member = ""] = [...one.table.slice(2), ...one.keys];
    if (!isOwn(one)) kept.push(one.text);
    else if (one.kind !== "blank" && member !== "" && !ways.includes(member)) (one.table.length > 2 ? below : own).push(one.text);
    else if (one.kind === "setting" && member === "env") env = { ...env, ...textsOf(one) };
    // A comment before another table is about that one.
    else if (one.kind === "blank" && one.text.trim() !== "" && (next === undefined || !isOwn(next))) kept.push(one.text);
  }
  const before = kept.join("").trimEnd();
  const made = tables([servers, name], filled(entry, env, secrets), own.join(""));
  return [...(before === "" ? [] : [`${before}\n`]), made, ...(below.length === 0 ? [] : [below.join("")])].join("\n");
}

/** Whether a setting says something of the server, or of all servers, to which no table can be added. */
function isInline({ kind, table, keys }: Statement, servers: string, name: string): boolean {
  const [first, second] = [...table, ...keys];
  return kind === "setting" && first === servers && (table.length === 0 || (table.length === 1 && second === name));
}

/** An entry with the values of variables that were filled in before. */
function filled(entry: Members, known: unknown, secrets: readonly string[]): Members {
  const env = entry["env"];
  if (!isItem(env) || !isItem(known)) return entry;
  const isKept = (key: string) => secrets.includes(key) || !Object.hasOwn(env, key);
  const values = Object.entries(known).filter(([key, value]) => typeof value === "string" && value !== "" && isKept(key));
  return { ...entry, env: { ...env, ...Object.fromEntries(values) } };
}

/** Tables of TOML. A JSON text is a basic string of TOML, and a list of texts a list. @param more further lines of the first table */
function tables(path: readonly string[], members: Members, more = ""): string {
  const own = Object.entries(members).filter(([, value]) => !isItem(value));
  const inner = Object.entries(members).flatMap(([key, value]) => (isItem(value) ? [tables([...path, key], value)] : []));
  const lines = own.map(([key, value]) => `${tomlNames([key])} = ${JSON.stringify(value)}\n`);
  return [`[${tomlNames(path)}]\n${lines.join("")}${more}`, ...inner].join("\n");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
