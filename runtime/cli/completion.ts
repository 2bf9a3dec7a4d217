import { connectors } from "../main/index.ts";
import { manualOf } from "../manual/manual.ts";
import type { Command } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { exitStatus } from "./exit-status.ts";
import { requestFlags } from "./request-flags.ts";

/** Variable in which the scripts give the words before the one that is completed, one per line. */
const given = "TENON_COMPLETE";

/** The scripts ask the command itself what can come next, so that they never become old. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_tenon() {
  local words
  words=$(${given}="$(printf '%s\\n' "\${COMP_WORDS[@]:1:COMP_CWORD-1}")" tenon completion words 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _tenon tenon`,
  zsh: `#compdef tenon
_tenon() {
  local -a found
  found=(\${(f)"$(${given}="\${(F)words[2,CURRENT-1]}" tenon completion words 2>/dev/null)"})
  compadd -a found
}
compdef _tenon tenon`,
  fish: `function __tenon_words
  set -l words (commandline -opc)
  set -lx ${given} (string join \\n -- $words[2..-1])
  tenon completion words 2>/dev/null
end
complete -c tenon -f -a '(__tenon_words)'`,
};

/** `tenon completion bash|zsh|fish` prints a script; the scripts call `tenon completion words`. @throws CommandError */
export function completionOf(commands: readonly Command[]) {
  return { run: ([shell = ""]: readonly string[]) => run(commands, shell) };
}

async function run(commands: readonly Command[], shell: string): Promise<number> {
  if (shell === "words") {
    const before = (process.env[given] ?? "").split("\n").filter((word) => word !== "");
    for (const word of await wordsAfter(commands, before)) console.log(word);
    return 0;
  }
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined)
    throw new CommandError(
      `there is no completion for "${shell}"; there is ${Object.keys(scripts).join(", ")}`,
      exitStatus.usage,
    );
  console.log(script);
  return 0;
}

/** What can come after these words. */
async function wordsAfter(commands: readonly Command[], before: readonly string[]): Promise<readonly string[]> {
  const [first, ...rest] = before;
  const names = connectors.map(({ name }) => name);
  if (first === undefined) return [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? "")), ...names];
  if (names.includes(first)) return shortcutWords(first, rest);
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  const row: Command | undefined = commands.find(({ name }) => name === first || name === `${first} ${rest[0]}`);
  if (row === undefined) return group.map(({ name }) => name.split(" ")[1] ?? "");
  const flags = Object.keys(row.flags).map((flag) => `--${flag}`);
  const words = rest.filter((word) => !word.startsWith("-")).length - (row.name.includes(" ") ? 1 : 0);
  const argument = row.arguments[words]?.name;
  return argument === undefined
    ? flags
    : [...(argument.startsWith("connector") ? names : argument === "shell" ? Object.keys(scripts) : []), ...flags];
}

async function shortcutWords(name: string, [entity, action]: readonly string[]): Promise<readonly string[]> {
  const connector = connectors.find((one) => one.name === name);
  const { entities } = connector === undefined ? { entities: [] } : await manualOf(connector);
  const found = entities.find((one) => one.name === entity);
  if (found === undefined) return entity === undefined ? entities.map((one) => one.name) : [];
  const params = found.actions.find((one) => one.name === action)?.params;
  if (params === undefined) return action === undefined ? found.actions.map((one) => one.name) : [];
  const flags = [...Object.keys((params["properties"] ?? {}) as object), ...Object.keys(requestFlags)];
  return [
    ...new Set(flags.map((flag) => `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-")}`)),
  ];
}
