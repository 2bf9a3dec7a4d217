import { nearest } from "../base/text.ts";
import { connectors } from "../main/connectors.ts";
import { type ActionManual, type EntityManual, type Manual, manualOf, marked } from "../manual/manual.ts";
import { CommandError } from "./command-error.ts";
import { exitStatus } from "./exit-status.ts";
import { out } from "./output/standard-output.ts";
import { aligned } from "./output/terminal-text.ts";
import { paramsWithMembers, type Schema } from "./request/param-flags.ts";

/**
 * `tenon describe`: the connectors, the entities of one, the actions and the record of an entity, or the params of an action. JSON for
 * programs, text on a terminal.
 *
 * @throws CommandError for a name that there is not
 */
export async function run([name, entity, action]: readonly string[], { json }: { readonly json: boolean }): Promise<number> {
  const show = (value: unknown, text: () => string[]) => out.line(json || !out.isTTY ? JSON.stringify(value) : text().join("\n"));
  if (name === undefined) {
    const all = connectors.map(({ name: own, title, entities }) => ({ name: own, title, entities: Object.keys(entities) }));
    show({ connectors: all }, () => all.map((one) => `${one.name}  ${one.title}: ${one.entities.join(", ")}`));
    return 0;
  }
  const manual = await manualOf(find(connectors, name, "connector"));
  if (entity === undefined) {
    show(overview(manual), () => [
      manual.doc,
      "",
      ...aligned(manual.entities.map((one) => [one.name, `${one.doc} (${actionNames(one).join(", ")})`])),
    ]);
    return 0;
  }
  const found = find(manual.entities, entity, `entity of ${name}`);
  if (action === undefined) show(found, () => entityText(found));
  else {
    const one = find(found.actions, action, `action of ${entity}`);
    show(one, () => actionText(one));
  }
  return 0;
}

function overview({ entities, ...manual }: Manual) {
  return {
    ...manual,
    entities: entities.map((one) => ({ name: one.name, doc: one.doc, ...marked(one.addition), actions: actionNames(one) })),
  };
}

function actionNames({ actions }: EntityManual): string[] {
  return actions.map(({ name }) => name);
}

function find<One extends { readonly name: string }>(all: readonly One[], name: string, what: string): One {
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = all.map((one) => one.name);
  const near = nearest(name, names);
  const hint = near === undefined ? `there is ${names.join(", ")}` : `did you mean "${near}"?`;
  throw new CommandError(`there is no ${what} called "${name}"; ${hint}`, exitStatus.usage);
}

function entityText(entity: EntityManual): string[] {
  const { doc, actions, record } = entity;
  const fields = Object.entries((record["properties"] ?? {}) as Readonly<Record<string, Schema>>);
  return [
    doc,
    "",
    "Actions:",
    ...aligned(actions.map((one) => [`  ${one.name}`, one.doc])),
    "",
    "Fields of a record:",
    ...aligned(fields.map(([name, schema]) => [`  ${name}`, typeText(schema), String(schema["description"] ?? "")])),
  ];
}

function actionText({ doc, params }: ActionManual): string[] {
  const rows = paramsWithMembers(params).map(({ path, schema, required }) => [
    `  ${path.join(".")}`,
    required === true ? "required" : "",
    typeText(schema),
    String(schema["description"] ?? "").replace(/\s+/g, " "),
  ]);
  return [doc, "", "Params:", ...aligned(rows)];
}

function typeText(schema: Schema): string {
  const { type, enum: values, anyOf, $ref } = schema;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (typeof $ref === "string") return $ref.slice($ref.lastIndexOf("/") + 1);
  if (Array.isArray(anyOf)) return anyOf.map((one: Schema) => typeText(one)).join(" | ");
  if (type === "array") {
    const items = typeText((schema["items"] ?? {}) as Schema);
    return items.includes(" | ") ? `(${items})[]` : `${items}[]`;
  }
  return Array.isArray(type) ? type.join(" | ") : String(type ?? "any");
}
