import { connectors } from "../main/index.ts";
import { manualOf } from "../manual/manual.ts";
import type { Command, Flags } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { completionScripts, givenWords } from "./completion-scripts.ts";
import { exitStatus } from "./exit-status.ts";
import { requestFlags } from "./request-flags.ts";
import { enumOf, flagOf, type Schema } from "./shortcut.ts";

/** `tenon completion bash|zsh|fish` prints a script; the scripts call `tenon completion words`. @throws CommandError */
export function completionOf(commands: readonly Command[]) {
  return { run: ([shell = ""]: readonly string[]) => run(commands, shell) };
}

async function run(commands: readonly Command[], shell: string): Promise<number> {
  if (shell === "words") {
    const before = (process.env[givenWords] ?? "").split("\n").filter((word) => word !== "");
    for (const word of await wordsAfter(commands, before)) console.log(word);
    return 0;
  }
  const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
  if (script === undefined)
    throw new CommandError(
      `there is no completion for "${shell}"; there is ${Object.keys(completionScripts).join(", ")}`,
      exitStatus.usage,
    );
  console.log(script);
  return 0;
}

const names = connectors.map(({ name }) => name);

/** What can come after these words. Nothing where the value of a flag comes that is not known, such as the name of a file. */
async function wordsAfter(commands: readonly Command[], before: readonly string[]): Promise<readonly string[]> {
  const [first, ...rest] = before;
  if (first === undefined) return [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? "")), ...names];
  if (names.includes(first)) return shortcutWords(first, rest);
  const row = commands.find(({ name }) => name === first || name === `${first} ${rest[0]}`);
  if (row === undefined) {
    const group = commands.filter(({ name }) => name.startsWith(`${first} `));
    return rest.length === 0 ? group.map(({ name }) => name.split(" ")[1] ?? "") : [];
  }
  const { words, flag } = split(row.name.includes(" ") ? rest.slice(1) : rest, (name) => takesValue(row.flags, name));
  if (flag !== undefined) return flag === "connector" ? names : [];
  return [...(await argumentWords(row.arguments[words.length]?.name ?? "", words)), ...flagsOf(row.flags)];
}

/** What can come after `tenon <connector>` and these words. */
async function shortcutWords(connector: string, rest: readonly string[]): Promise<readonly string[]> {
  if (rest.length < 2) return argumentWords(rest.length === 0 ? "entity" : "action", [connector, ...rest]);
  const [entity, action, ...given] = rest;
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
  return (enumOf(schemas.get(flag) ?? {}) ?? []).map(String);
}

/** Words for an argument of a command that comes after these arguments. */
async function argumentWords(argument: string, [connector = "", entity]: readonly string[]): Promise<readonly string[]> {
  if (argument === "shell") return Object.keys(completionScripts);
  if (argument === "entity") return (await entitiesOf(connector)).map(({ name }) => name);
  if (argument !== "action") return argument.startsWith("connector") ? names : [];
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
