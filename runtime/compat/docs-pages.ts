import type { ActionManual, EntityManual, Manual } from "../manual/manual.ts";

// What the client's tools for agents read about a connector, in the blocks of text that they show.

export type Block =
  | { readonly type: "heading"; readonly level: number; readonly text: string }
  | { readonly type: "paragraph"; readonly text: string }
  | { readonly type: "list"; readonly items: readonly string[] }
  | { readonly type: "table"; readonly headers: readonly string[]; readonly rows: readonly (readonly string[])[] };

export interface OutlineEntry {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
}

const sectionPrefix = "entity:";

/** One section for each entity. */
export function outlineOf({ entities }: Manual): OutlineEntry[] {
  return entities.map(({ name, doc }) => ({ id: sectionPrefix + name, title: name, summary: firstSentence(doc) }));
}

/** The text that stands before all sections. */
export function introductionOf({ title, doc, entities }: Manual): Block[] {
  return [
    { type: "heading", level: 1, text: title },
    { type: "paragraph", text: doc },
    { type: "list", items: entities.map(({ name, actions }) => `${name}: ${actions.map((action) => action.name).join(", ")}`) },
  ];
}

/** @returns undefined where there is no such section */
export function sectionOf({ entities }: Manual, id: string): Block[] | undefined {
  const entity = entities.find(({ name }) => sectionPrefix + name === id);
  return entity && entityBlocks(entity);
}

function entityBlocks({ name, doc, actions, record }: EntityManual): Block[] {
  const fields = rowsOf(record).map(([field = "", type = "", , text = ""]) => [field, type, text]);
  return [
    { type: "heading", level: 2, text: name },
    { type: "paragraph", text: doc },
    ...actions.flatMap((action) => actionBlocks(name, action)),
    { type: "heading", level: 3, text: "Fields of live records" },
    { type: "table", headers: ["Field", "Type", "Meaning"], rows: fields },
  ];
}

function actionBlocks(entity: string, { name, doc, writes, params }: ActionManual): Block[] {
  const rows = rowsOf(params);
  return [
    { type: "heading", level: 3, text: `${entity}.${name}` },
    { type: "paragraph", text: writes ? `${doc} It changes something on the platform.` : doc },
    ...(rows.length === 0 ? [] : [{ type: "table" as const, headers: ["Parameter", "Type", "Required", "Meaning"], rows }]),
  ];
}

type Schema = Readonly<Record<string, unknown>>;

/** The properties of an object: name, type, whether it is required, and what it means. */
function rowsOf(schema: Schema): string[][] {
  const { properties, required } = schema;
  if (!isSchema(properties)) return [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) => {
    const { type, description } = isSchema(property) ? property : {};
    const types = Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "object";
    return [name, types, needed.includes(name) ? "yes" : "no", typeof description === "string" ? description : ""];
  });
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
