import type { Command } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { out } from "../output/standard-output.ts";
import { completedWord, completionScripts, givenWords } from "./completion-scripts.ts";

/** `tenon completion bash|zsh|fish` prints a script; the scripts call `tenon completion words`. @throws CommandError */
export function completionOf(commands: readonly Command[]) {
  return { run: ([shell = ""]: readonly string[]) => run(commands, shell) };
}

async function run(commands: readonly Command[], shell: string): Promise<number> {
  if (shell === "words") {
    const { wordsAfter } = await import("./completion-words.ts");
    const before = (process.env[givenWords] ?? "").split("\n").filter((word) => word !== "");
    const words = await wordsAfter(commands, before, process.env[completedWord] ?? "");
    out.write(words.map((word) => `${word}\n`).join(""));
    return 0;
  }
  const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
  if (script === undefined)
    throw new CommandError(
      `there is no completion for "${shell}"; there is ${Object.keys(completionScripts).join(", ")}`,
      exitStatus.usage,
    );
  out.line(script);
  return 0;
}
