import { Option, type Command as Parser } from "commander";
import { nearest } from "../../base/text.ts";
import { aliased } from "../../contract/index.ts";
import { connectors } from "../../main/connectors.ts";
import { type ActionManual, type EntityManual, type Manual, manualOf } from "../../manual/manual.ts";
import type { Flags } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { optionOf, valuesOf } from "../options.ts";
import { enumOf, flagsOfParams, isType, itemsOf, type ParamFlag, paramsOf, type Schema } from "./param-flags.ts";
import { type RequestFlags, requestFlags } from "./request-flags.ts";

/**
 * `tenon <connector> <entity> <action>`: runs an action with a flag for each of its params. What can be called, and the flags, come from
 * the manual of the connector.
 *
 * @returns undefined when no connector has this name
 * @throws CommandError when a connector has a name that is spelled much like it
 */
export function shortcutOf(
  name: string,
  others: readonly string[],
): ((program: Parser, args: readonly string[]) => Promise<number>) | undefined {
  const connector = connectors.find((one) => one.name === name);
  if (connector === undefined) {
    const near = nearest(name, [...connectors.map((one) => one.name), ...others]);
    if (near === undefined || others.includes(near)) return undefined;
    throw new CommandError(`unknown command '${name}' (did you mean ${near}?)`, exitStatus.usage);
  }
  return async (program, args) => {
    const manual = await manualOf(connector);
    let status = 0;
    const group = program
      .command(name)
      .description(manual.doc)
      .helpCommand(false)
      .showHelpAfterError(`See "tenon ${name} --help".`);
    // Of the entities and actions, only those that are named get their flags: help of all others would take long to make.
    const [, entity, action] = args;
    const meant = entity === undefined || entity.startsWith("-") ? undefined : aliased(entity, manual.entities);
    if (meant !== undefined && manual.entities.every((one) => one.name !== entity))
      throw new CommandError(`unknown command '${entity}' (did you mean ${meant}?)`, exitStatus.usage);
    for (const one of manual.entities)
      addEntity(group, manual, one, one.name === entity ? action : undefined, (given) => (status = given));
    await program.parseAsync([...args], { from: "user" });
    return status;
  };
}

function addEntity(
  group: Parser,
  manual: Manual,
  entity: EntityManual,
  named: string | undefined,
  ended: (status: number) => void,
): void {
  const parser = group
    .command(entity.name)
    .description(entity.doc)
    .helpCommand(false)
    .showHelpAfterError(`See "tenon ${manual.name} ${entity.name} --help".`);
  for (const action of entity.actions) {
    const command = parser
      .command(action.name)
      .description(action.doc)
      .showHelpAfterError(`See "tenon ${manual.name} ${entity.name} ${action.name} --help".`);
    if (action.name === named) addAction(command, manual, entity, action, ended);
  }
}

function addAction(
  command: Parser,
  { name: connector }: Manual,
  { name: entity }: EntityManual,
  action: ActionManual,
  ended: (status: number) => void,
): void {
  const options = flagsOfParams(action.params).map((flag) => ({ flag, option: paramOption(flag) }));
  for (const { option } of options) command.addOption(option);
  const flags: Flags = requestFlags;
  const common = Object.entries(flags).map(([name, flag]) => [name, optionOf(name, flag)] as const);
  for (const [, option] of common) command.addOption(option.helpGroup("Options of all actions:"));
  command.addHelpText("after", `\nExamples:\n  ${example(connector, entity, action.name, options)}`);
  command.action(async () => {
    const given: Readonly<Record<string, unknown>> = command.opts();
    const passed = options.flatMap(({ flag, option }) => {
      const value = given[option.attributeName()];
      return value === undefined ? [] : [[flag, value] as const];
    });
    const params = paramsOf(passed);
    const byMember = passed.flatMap(([{ path }]) => (path.length > 1 ? path.slice(0, 1) : []));
    const values = valuesOf(flags, common, given) as RequestFlags;
    // Help and a misspelled name need nothing of what runs an action.
    const { runRequest } = await import("./request.ts");
    ended(await runRequest({ connector, entity, action: action.name, params, byMember }, values));
  });
}

/**
 * `per_page` → `--per-page <number>`. Params that are required are marked, and checked by the action itself, because `--params` may have
 * them.
 */
function paramOption({ flag, schema, required }: ParamFlag): Option {
  const object = flag.slice(0, flag.lastIndexOf("."));
  const mark = required === "inside" ? ` (required with --${object})` : required === true ? " (required)" : "";
  const help = `${String(schema["description"] ?? "").split("\n")[0]}${mark}`;
  const option = isType(schema, "boolean")
    ? new Option(`--${flag} [true|false]`, help)
    : new Option(`--${flag} <${typeName(schema)}>`, help);
  if (!isType(schema, "array")) return option;
  return option.argParser((value: string, before: unknown) => [...(Array.isArray(before) ? before : []), value]);
}

function typeName(schema: Schema): string {
  const values = enumOf(schema);
  if (values !== undefined && values.length <= 6) return values.map(String).join("|");
  if (isType(schema, "integer") || isType(schema, "number")) return "number";
  if (isType(schema, "object")) return "json";
  return isType(schema, "array") ? `${typeName(itemsOf(schema) ?? {})}...` : "text";
}

function example(
  connector: string,
  entity: string,
  action: string,
  options: readonly { readonly flag: ParamFlag; readonly option: Option }[],
): string {
  const flags = options
    .filter(({ flag: { path, required } }) => path.length === 1 && required === true)
    .map(({ flag: { schema }, option }) => {
      const [one] = Array.isArray(schema["examples"]) ? schema["examples"] : [];
      const value = one === undefined ? "…" : typeof one === "string" ? one : JSON.stringify(one);
      return `${option.long} ${/^[\w./:-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`;
    });
  return ["tenon", connector, entity, action, ...flags].join(" ");
}
