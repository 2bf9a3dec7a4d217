import { Option, type Command as Parser } from "commander";
import { nearest } from "../../base/text.ts";
import { aliased } from "../../contract/index.ts";
import { connectors } from "../../main/connectors.ts";
import { type ActionManual, type EntityManual, type Manual, manualOf } from "../../manual/manual.ts";
import type { Flags } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { optionOf, valuesOf } from "../options.ts";
import { enumOf, flagOf, type Schema } from "./param-schema.ts";
import type { Params } from "./params.ts";
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
    const group = program.command(name).description(manual.doc).helpCommand(false);
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
  const parser = group.command(entity.name).description(entity.doc).helpCommand(false);
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
  const properties = Object.entries((action.params["properties"] ?? {}) as Readonly<Record<string, Schema>>);
  const required = new Set(Array.isArray(action.params["required"]) ? action.params["required"].map(String) : []);
  // A param that has the name of a flag of all actions is given with --params.
  const own = properties.filter(([name]) => !Object.hasOwn(requestFlags, name));
  const options = own.map(([name, schema]) => ({ name, schema, option: paramOption(name, schema, required.has(name)) }));
  for (const { option } of options) command.addOption(option);
  const flags: Flags = requestFlags;
  const common = Object.entries(flags).map(([name, flag]) => [name, optionOf(name, flag)] as const);
  for (const [, option] of common) command.addOption(option.helpGroup("Options of all actions:"));
  command.addHelpText("after", `\nExamples:\n  ${example(connector, entity, action.name, options, required)}`);
  command.action(async () => {
    const given: Readonly<Record<string, unknown>> = command.opts();
    const params: Params = Object.fromEntries(
      options.flatMap(({ name, schema, option }) => {
        const value = given[option.attributeName()];
        return value === undefined ? [] : [[name, paramValue(value, schema)]];
      }),
    );
    const values = valuesOf(flags, common, given) as RequestFlags;
    // Help and a misspelled name need nothing of what runs an action.
    const { runRequest } = await import("./request.ts");
    ended(await runRequest({ connector, entity, action: action.name, params }, values));
  });
}

/**
 * `per_page` → `--per-page <number>`. Params that are required are marked, and checked by the action itself, because `--params` may have
 * them.
 */
function paramOption(name: string, schema: Schema, required: boolean): Option {
  const flag = `--${flagOf(name)}`;
  const help = `${String(schema["description"] ?? "").split("\n")[0]}${required ? " (required)" : ""}`;
  const option = isType(schema, "boolean")
    ? new Option(`${flag} [true|false]`, help)
    : new Option(`${flag} <${typeName(schema)}>`, help);
  if (!isType(schema, "array")) return option;
  return option.argParser((value: string, before: unknown) => [...(Array.isArray(before) ? before : []), value]);
}

function typeName(schema: Schema): string {
  const values = enumOf(schema);
  if (values !== undefined && values.length <= 6) return values.map(String).join("|");
  if (isType(schema, "integer") || isType(schema, "number")) return "number";
  if (isType(schema, "object")) return "json";
  return isType(schema, "array") ? `${typeName((schema["items"] ?? {}) as Schema)}...` : "text";
}

function isType(schema: Schema, type: string): boolean {
  const { type: own, anyOf } = schema;
  if (own === type || (Array.isArray(own) && own.includes(type))) return true;
  return Array.isArray(anyOf) && anyOf.some((one: Schema) => isType(one, type));
}

/** The text of a flag as a value of the param. What does not fit stays a text, so that the action says what is wrong with it. */
function paramValue(given: unknown, schema: Schema): unknown {
  if (Array.isArray(given)) {
    const items = (schema["items"] ?? {}) as Schema;
    return given.map((one) => paramValue(one, items));
  }
  if (given === "null" && isType(schema, "null")) return null;
  if (isType(schema, "boolean")) return given === true || given === "true" ? true : given === "false" ? false : given;
  if (typeof given !== "string") return given;
  if ((isType(schema, "integer") || isType(schema, "number")) && /^-?\d+(\.\d+)?$/.test(given)) return Number(given);
  if (isType(schema, "object")) {
    try {
      return JSON.parse(given);
    } catch {
      return given;
    }
  }
  return given;
}

function example(
  connector: string,
  entity: string,
  action: string,
  options: readonly { readonly name: string; readonly schema: Schema; readonly option: Option }[],
  required: ReadonlySet<string>,
): string {
  const flags = options
    .filter(({ name }) => required.has(name))
    .map(({ schema, option }) => {
      const [one] = Array.isArray(schema["examples"]) ? schema["examples"] : [];
      const value = one === undefined ? "…" : typeof one === "string" ? one : JSON.stringify(one);
      return `${option.long} ${/^[\w./:-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`;
    });
  return ["tenon", connector, entity, action, ...flags].join(" ");
}
