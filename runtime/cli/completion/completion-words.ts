import type { Command, Flags } from "../command.ts";
import { requestFlags } from "../request/request-flags.ts";
import { completionTable } from "./completion-cache.ts";
import type { CompletionTable } from "./completion-names.ts";
import { completionScripts } from "./completion-scripts.ts";
import { flagValues, memberOf } from "./completion-values.ts";

// What can come next in a command line. A shell waits for it at each press of the tab key, so this module loads no connector: their names
// are in a file.

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
  const table = await completionTable();
  if (first === undefined) return [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? "")), ...Object.keys(table)];
  if (Object.hasOwn(table, first)) return shortcutWords(table, first, rest, word);
  const row = commands.find(({ name }) => name === `${first} ${rest[0]}`) ?? commands.find(({ name }) => name === first);
  if (row === undefined) {
    const group = commands.filter(({ name }) => name.startsWith(`${first} `));
    return rest.length === 0 ? group.map(({ name }) => name.split(" ")[1] ?? "") : [];
  }
  const { words, flag } = split(row.name.includes(" ") ? rest.slice(1) : rest, (name) => takesValue(row.flags, name));
  const namesConnector = row.arguments[0]?.name.startsWith("connector") === true;
  const [connector = "", entity = ""] = namesConnector ? words : [];
  if (flag !== undefined) return flagValues(table, flag, { connector, entity }, word);
  return [...(await argumentWords(table, row.arguments[words.length]?.name ?? "", words)), ...flagsOf(row.flags)];
}

/** What can come after `tenon <connector>` and these words. */
async function shortcutWords(
  table: CompletionTable,
  connector: string,
  rest: readonly string[],
  word: string,
): Promise<readonly string[]> {
  if (rest.length < 2) return argumentWords(table, rest.length === 0 ? "entity" : "action", [connector, ...rest]);
  const [entity = "", action = "", ...given] = rest;
  const flags = memberOf(memberOf(memberOf(table, connector)?.entities, entity)?.actions, action);
  if (flags === undefined) return [];
  const { flag } = split(given, (name) => Object.hasOwn(flags, name) || takesValue(requestFlags, name));
  if (flag === undefined) return [...Object.keys(flags).map((name) => `--${name}`), ...flagsOf(requestFlags)];
  return memberOf(flags, flag) ?? flagValues(table, flag, { connector, entity }, word);
}

/** Words for an argument of a command that comes after these arguments. */
async function argumentWords(
  table: CompletionTable,
  argument: string,
  [connector = "", entity = ""]: readonly string[],
): Promise<readonly string[]> {
  const entities = memberOf(table, connector)?.entities ?? {};
  if (argument === "client") return Object.keys((await import("../mcp/mcp-clients.ts")).mcpClients);
  if (argument === "shell") return Object.keys(completionScripts);
  if (argument === "entity") return Object.keys(entities);
  if (argument === "action") return Object.keys(memberOf(entities, entity)?.actions ?? {});
  return argument.startsWith("connector") ? Object.keys(table) : [];
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
