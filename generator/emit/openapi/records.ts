import { enumsOf, typesOf } from "../../model/parts.ts";
import type { ConnectorModel, EnumModel, FieldModel, TypeModel, TypeReference } from "../../model/types.ts";
import { object, orNull, reference, type Schema } from "./schema.ts";

/** Name of the schema of an object of which the platform alone knows the members. */
const openObject = "tenon.object";
const openObjectSchema: Schema = {
  type: "object",
  description: "An object of the platform, with whatever members it has there.",
};

/** Name of the schema of a record that has every field which is returned when a request does not choose fields. */
export function completeName(type: TypeModel): string {
  return `${type.name}.complete`;
}

/**
 * Schemas of all enums, types and records. A record has only fields that the request chose, so that none is required; the schema
 * `<Type>.complete` is that of a record without a choice.
 */
export function recordSchemas(model: ConnectorModel): Readonly<Record<string, Schema>> {
  const returned = model.entities.flatMap(({ record, actions }) => [record, ...actions.map(({ returns }) => returns)]);
  const types = [...typesOf(model).values()];
  const hasOpen = types.some(({ fields }) => fields.some(({ type }) => type.kind !== "type" && type.name === "object"));
  return {
    ...Object.fromEntries([...enumsOf(model).values()].map((one) => [one.name, enumSchema(one)])),
    ...Object.fromEntries(types.map((type) => [type.name, typeSchema(type)])),
    ...Object.fromEntries(returned.map((type) => [completeName(type), completeSchema(type)])),
    ...(hasOpen ? { [openObject]: openObjectSchema } : {}),
  };
}

function enumSchema({ doc, values }: EnumModel): Schema {
  const list = values.map(({ value, doc: meaning }) => `- \`${value}\`: ${meaning}`).join("\n");
  return { type: "string", description: `${doc}\n\n${list}`, enum: values.map(({ value }) => value) };
}

function typeSchema({ doc, fields }: TypeModel): Schema {
  return object(Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])), [], { description: doc });
}

function completeSchema(type: TypeModel): Schema {
  return {
    description: `${type.name}, with the fields that a response has if the request does not choose any.`,
    allOf: [reference(type.name)],
    required: type.fields.filter(({ onRequest }) => !onRequest).map(({ name }) => name),
  };
}

function fieldSchema({ doc, type, onRequest, scope, example }: FieldModel): Schema {
  const notes = [
    doc,
    onRequest ? "Only when `fields` names it." : "",
    scope === undefined ? "" : `Needs the scope \`${scope}\`.`,
  ];
  const schema = typeReferenceSchema(type);
  // The example of a list is one of the values that are compared: an element, or a member of one.
  const whole = type.list ? (type.kind === "type" ? undefined : [example]) : example;
  const examples = example === undefined || whole === undefined ? {} : { examples: [whole] };
  return { description: notes.filter((note) => note !== "").join(" "), ...schema, ...examples };
}

/** Schema of a value that the platform gave. */
function typeReferenceSchema(type: TypeReference): Schema {
  const element = elementSchema(type);
  const value = type.list ? { type: "array", items: element } : element;
  return type.nullable ? orNull(value) : value;
}

function elementSchema({ kind, name }: TypeReference): Schema {
  // A value that the enumeration does not list is passed through, with a warning.
  if (kind === "enum") return { anyOf: [reference(name), { type: "string" }] };
  if (kind === "type") return reference(name);
  switch (name) {
    case "integer":
    case "number":
    case "boolean":
      return { type: name };
    case "object":
      return reference(openObject);
    case "json":
      return {};
    case "timestamp":
      return { type: "string", format: "date-time" };
    case "date":
      return { type: "string", format: "date" };
    default:
      return { type: "string" };
  }
}
