import { connectors } from "../../main/connectors.ts";
import { manualOf } from "../../manual/manual.ts";
import type { Command, Flags } from "../command.ts";
import { mcpClients } from "../mcp/mcp-clients.ts";
import { enumOf, flagOf, type Schema } from "../request/param-schema.ts";
import { requestFlags } from "../request/request-flags.ts";
import { completionScripts } from "./completion-scripts.ts";
import { connectorNames, flagValues } from "./completion-values.ts";

// What can come next in a command line. A shell waits for it at each press of the tab key, so this module loads what describes connectors
// and nothing that runs them.

/**
 * @param before the words before the one that is completed
 * @param word that one, as far as it was typed
 * @returns nothing where a value comes that is not known, such as the name of a file
 */
export async function wordsAfter(
  commands: readonly Command[],
  before: readonly string[],
  word: string,
): Promise<readonly string[]> {
  const [first, ...rest] = before;
  if (first === undefined) return [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? "")), ...connectorNames];
  if (connectorNames.includes(first)) return shortcutWords(first, rest, word);
  const row = commands.find(({ name }) => name === `${first} ${rest[0]}`) ?? commands.find(({ name }) => name === first);
  if (row === undefined) {
    const group = commands.filter(({ name }) => name.startsWith(`${first} `));
    return rest.length === 0 ? group.map(({ name }) => name.split(" ")[1] ?? "") : [];
  }
  const { words, flag } = split(row.name.includes(" ") ? rest.slice(1) : rest, (name) => takesValue(row.flags, name));
  const namesConnector = row.arguments[0]?.name.startsWith("connector") === true;
  const [connector = "", entity = ""] = namesConnector ? words : [];
  if (flag !== undefined) return flagValues(flag, { connector, entity }, word);
  return [...(await argumentWords(row.arguments[words.length]?.name ?? "", words)), ...flagsOf(row.flags)];
}

/** What can come after `tenon <connector>` and these words. */
async function shortcutWords(connector: string, rest: readonly string[], word: string): Promise<readonly string[]> {
  if (rest.length < 2) return argumentWords(rest.length === 0 ? "entity" : "action", [connector, ...rest]);
  const [entity = "", action, ...given] = rest;
  const params = (await entitiesOf(connector))
    .find(({ name }) => name === entity)
    ?.actions.find(({ name }) => name === action)?.params;
  if (params === undefined) return [];
  const schemas = new Map(
    Object.entries((params["properties"] ?? {}) as Readonly<Record<string, Schema>>)
      .filter(([name]) => !Object.hasOwn(requestFlags, name))
      .map(([name, schema]) => [flagOf(name), schema]),
  );
  const { flag } = split(given, (name) => schemas.has(name) || takesValue(requestFlags, name));
  if (flag === undefined) return [...[...schemas.keys()].map((name) => `--${name}`), ...flagsOf(requestFlags)];
  const schema = schemas.get(flag);
  return schema === undefined ? flagValues(flag, { connector, entity }, word) : (enumOf(schema) ?? []).map(String);
}

/** Words for an argument of a command that comes after these arguments. */
async function argumentWords(argument: string, [connector = "", entity]: readonly string[]): Promise<readonly string[]> {
  if (argument === "client") return Object.keys(mcpClients);
  if (argument === "shell") return Object.keys(completionScripts);
  if (argument === "entity") return (await entitiesOf(connector)).map(({ name }) => name);
  if (argument !== "action") return argument.startsWith("connector") ? connectorNames : [];
  return (await entitiesOf(connector)).find(({ name }) => name === entity)?.actions.map(({ name }) => name) ?? [];
}

async function entitiesOf(name: string) {
  const connector = connectors.find((one) => one.name === name);
  return connector === undefined ? [] : (await manualOf(connector)).entities;
}

/** The words of a command line that are arguments, and the flag whose value comes next. */
function split(given: readonly string[], takes: (flag: string) => boolean) {
  const words: string[] = [];
  let flag: string | undefined;
  for (const word of given)
    if (flag !== undefined) flag = undefined;
    else if (!word.startsWith("-")) words.push(word);
    else if (takes(word.slice(2))) flag = word.slice(2);
  return { words, flag };
}

function takesValue(flags: Flags, name: string): boolean {
  return Object.hasOwn(flags, name) && flags[name]?.kind !== "switch";
}

function flagsOf(flags: Flags): string[] {
  return Object.keys(flags).map((flag) => `--${flag}`);
}
