import { CommanderError, Command as Parser } from "commander";
import packageFile from "../../package.json" with { type: "json" };
import { type Command, storedNote } from "./command.ts";
import { CommandError } from "./command-error.ts";
import { exitStatus } from "./exit-status.ts";
import { optionOf, valuesOf } from "./options.ts";
import { out } from "./output/standard-output.ts";
import { aligned } from "./output/terminal-text.ts";

/**
 * Parses a command line by the table of commands and runs the command.
 *
 * @param args what follows the name of the program
 * @returns the exit status: the command's own, 0 for help and version
 * @throws whatever the command throws, and CommandError for a command line that makes no sense
 */
export async function runCommandLine(commands: readonly Command[], args: readonly string[]): Promise<number> {
  let status = 0;
  const program = new Parser("tenon")
    .description("Connectors from specs: one HTTP endpoint for the data of platforms, and a cache to search it.")
    .version(packageFile.version, "--version", "print the version")
    .helpOption("-h, --help", "print help, of a command too")
    .helpCommand("help [command]", "print help")
    .showHelpAfterError('See "tenon --help".')
    // `tenon mcp` and `tenon mcp setup` have flags of the same names.
    .enablePositionalOptions()
    .exitOverride();
  // What the parser says of an error is the text of the error that is thrown.
  let said = "";
  const take = (text: string) => {
    said += text;
  };
  program.configureOutput({ outputError: take, writeErr: take, writeOut: (text) => void out.write(text) });
  try {
    const shortcut = await shortcutOf(commands, args);
    if (shortcut !== undefined) return await shortcut(program, args);
    const isHelp = asksForHelp(args);
    if (isHelp) program.addHelpText("after", await connectorHelp());
    for (const row of commands) {
      const parser = named(parentOf(program, row, commands), row);
      // The flags of other commands would take longer than a short command itself.
      if (isHelp || args.includes(firstWord(row.name))) complete(parser, row, firstWords(commands), (given) => (status = given));
    }
    await program.parseAsync([...args], { from: "user" });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    // A group of commands without one of them: a person gets the list.
    if (thrown.code === "commander.help" && process.stderr.isTTY) process.stderr.write(said);
    else throw new CommandError(refusalOf(thrown.code, said, program, args), exitStatus.usage);
    return exitStatus.usage;
  }
  return status;
}

/** Whether this command line prints the list of commands. */
function asksForHelp([first, ...rest]: readonly string[]): boolean {
  return first === undefined || ["-h", "--help"].includes(first) || (first === "help" && rest.length === 0);
}

/** The connectors, each of which is a command too. Without those of a module that cannot be loaded there is help all the same. */
async function connectorHelp(): Promise<string> {
  const { connectors } = await import("../main/connectors.ts").catch(() => ({ connectors: [] }));
  const lines = aligned(connectors.map(({ name, title }) => [`  ${name}`, title]));
  return ["", "Connectors, as in `tenon <connector> <entity> <action>` (see `tenon describe <connector>`):", ...lines].join("\n");
}

/** What is wrong with a command line. @param said what the parser says of it */
function refusalOf(code: string, said: string, program: Parser, args: readonly string[]): string {
  const [group, name] = reached(program, args);
  const members = group.commands.map((one) => one.name());
  const text = said.replace(/^error: /, "").trim();
  if (code === "commander.help")
    return group === program
      ? 'A command is missing. See "tenon --help".'
      : `After "${name}" one of these is missing: ${members.join(", ")}. See "${name} --help".`;
  if (code !== "commander.unknownOption" || members.length === 0) return text;
  return text.replace(/^.*$/m, "$&\nPut options after the command.");
}

/** The command or group that the first words of a command line name, and these words. */
function reached(program: Parser, args: readonly string[]): readonly [parser: Parser, name: string] {
  let parser = program;
  let name = program.name();
  for (const word of args) {
    const next = parser.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    parser = next;
    name += ` ${word}`;
  }
  return [parser, name];
}

/** The last words of the commands whose names begin with this word. */
function membersOf(group: string, commands: readonly Command[]): string[] {
  return commands.filter((row) => row.name.startsWith(`${group} `)).map((row) => lastWord(row.name));
}

/**
 * A command line may begin with the name of a connector instead of a command: `tenon <connector> <entity> <action>`. Connectors are loaded
 * only for a first word that no command has.
 */
async function shortcutOf(commands: readonly Command[], [first = ""]: readonly string[]): Promise<Shortcut | undefined> {
  const words = firstWords(commands);
  const isCommand = first === "" || first.startsWith("-") || words.includes(first);
  return isCommand ? undefined : (await import("./request/shortcut.ts")).shortcutOf(first, words);
}

type Shortcut = (program: Parser, args: readonly string[]) => Promise<number>;

/** Adds the name of a command to its parent. Settings of the program (output, ending by exception) are inherited. */
function named(parent: Parser, { name, summary }: Command): Parser {
  return parent.command(lastWord(name)).summary(summary);
}

/** Adds what a command takes, and what it does. */
function complete(parser: Parser, row: Command, words: readonly string[], ended: (status: number) => void): void {
  const { name, summary, flags, examples, stored } = row;
  const options = Object.entries(flags).map(([flag, plan]) => [flag, optionOf(flag, plan)] as const);
  parser
    .description(stored === undefined ? summary : `${summary}\n\n${storedNote}`)
    .helpOption("-h, --help", "print this")
    .showHelpAfterError(`See "tenon ${name} --help".`)
    .addHelpText("after", `\nExamples:\n${examples.map((example) => `  ${example}`).join("\n")}`);
  for (const { name: argument, help, optional } of row.arguments)
    parser.argument(optional === true ? `[${argument}]` : `<${argument}>`, help);
  for (const [, option] of options) parser.addOption(option);
  parser.action(async () => {
    const given: Readonly<Record<string, unknown>> = parser.opts();
    const values = valuesOf(flags, options, given);
    const place = stored === undefined ? undefined : (await import("./stored-place.ts")).ownPlace(name, stored, values["config"]);
    const module = await row.load();
    const status = await module.run(parser.args, values, words);
    // At the end, so that an error stays the only thing on standard error.
    if (place !== undefined && status === 0) console.error(`Used the ${place}.`);
    ended(status);
  });
}

/** Where a command is added: the program, or the group of commands whose names begin with the same word. */
function parentOf(program: Parser, { name }: Command, commands: readonly Command[]): Parser {
  const [group = "", ...rest] = name.split(" ");
  if (rest.length === 0) return program;
  const known = program.commands.find((one) => one.name() === group);
  if (known !== undefined) return known;
  const members = membersOf(group, commands);
  return program
    .command(group)
    .summary(`${members.join(", ")} (see "tenon ${group} --help")`)
    .helpOption("-h, --help", "print this")
    .helpCommand(false)
    .showHelpAfterError(`See "tenon ${group} --help".`);
}

function firstWords(commands: readonly Command[]): string[] {
  return ["help", ...commands.map(({ name }) => firstWord(name))];
}

function firstWord(name: string): string {
  return name.split(" ")[0] ?? name;
}

function lastWord(name: string): string {
  return name.split(" ").at(-1) ?? name;
}
