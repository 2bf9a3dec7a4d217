import { additionKey, dryRunParam, pagingOf, schemaNames } from "../../../runtime/contract/index.ts";
import { valueSchema } from "../../model/param.ts";
import { enumsOf } from "../../model/parts.ts";
import type { ActionModel, ConnectorModel, ParamModel } from "../../model/types.ts";
import { completeName } from "./records.ts";
import { commonMeta, object, orNull, reference, type Schema } from "./schema.ts";

/** Schemas of the parameters, the request and the answer of an action. */
export function actionSchemas(action: ActionModel, model: ConnectorModel): Readonly<Record<string, Schema>> {
  const names = schemaNames(action.entity, action.name);
  const params = paramsSchema(action, model);
  const needsParams = action.params.some(({ required }) => required);
  return {
    [names.params]: params,
    [names.request]: requestSchema(action.entity, action.name, names.params, needsParams, action.doc, action.addition),
    [names.answer]: answerSchema(action),
  };
}

/** Why the caller asks. */
const intentSchema: Schema = {
  type: "string",
  maxLength: 512,
  description: "Reason for the request, for the audit log of the service.",
};

/** @param entity undefined for an action that is the same for all entities */
export function requestSchema(
  entity: string | undefined,
  action: string,
  params: string,
  needsParams: boolean,
  doc: string,
  addition = false,
): Schema {
  return object(
    {
      entity: entity === undefined ? { type: "string" } : { const: entity },
      action: { const: action },
      params: reference(params),
      intent: intentSchema,
    },
    ["entity", "action", ...(needsParams ? ["params"] : [])],
    { description: doc, ...additionMark(addition) },
  );
}

/** Marks what is not part of the interface that connectors of the kind promise. */
export function additionMark(addition: boolean): Schema {
  return addition ? { [additionKey]: true } : {};
}

/** The parameter `fields`. Its names are those of the record; a path leads into an object. */
export const fieldsSchema: Schema = {
  type: "array",
  minItems: 1,
  maxItems: 200,
  description:
    "Names of the fields to return, in camelCase or snake_case. Dotted paths, or lists of keys, name members of objects.",
  items: {
    anyOf: [
      { type: "string", minLength: 1 },
      { type: "array", items: { type: "string" }, minItems: 1, maxItems: 10 },
    ],
  },
};

function paramsSchema(action: ActionModel, model: ConnectorModel): Schema {
  const enums = enumsOf(model);
  const own = action.params.map((param) => {
    const schema = namedEnum(
      param,
      valueSchema(param, (name) => enums.get(name)),
    );
    const example = param.example === undefined ? {} : { examples: [param.example] };
    return [param.name, { description: param.doc, ...schema, ...example }] as const;
  });
  const dryRun = action.traits.writes
    ? {}
    : { [dryRunParam]: { type: "boolean", description: "Sends nothing to the platform, and returns what would be sent." } };
  const required = action.params.filter((param) => param.required).map(({ name }) => name);
  return object({ ...Object.fromEntries(own), fields: fieldsSchema, ...dryRun }, required, {
    description: `Parameters of ${action.entity}.${action.name}.`,
    ...(action.traits.updates ? { minProperties: required.length + 1 } : {}),
  });
}

/** The same schema with a reference in the place of the values of an enumeration. */
function namedEnum({ type }: ParamModel, schema: Schema): Schema {
  if (type.kind !== "enum") return schema;
  if (type.list) return { ...schema, items: reference(type.name) };
  const { enum: _values, type: _type, ...rest } = schema;
  return { ...rest, ...(type.nullable ? orNull(reference(type.name)) : reference(type.name)) };
}

function answerSchema(action: ActionModel): Schema {
  const record = { anyOf: [reference(completeName(action.returns)), reference(action.returns.name)] };
  const { writes, list } = action.traits;
  const answer = (data: Schema, meta: string) => object({ data, meta: reference(meta) }, ["data", "meta"]);
  // A write of which the platform sends no record answers null, with a warning.
  if (writes) return answer(orNull(record), "tenon.writeMeta");
  if (!list) return { anyOf: [answer(record, "tenon.recordMeta"), reference("tenon.dryRun")] };
  const total = action.operation.kind === "graphql-list" && action.operation.total !== undefined;
  const meta = total ? "tenon.totalMeta" : pagingOf(action.operation) === undefined ? "tenon.recordMeta" : "tenon.pageMeta";
  return { anyOf: [answer({ type: "array", items: record }, meta), reference("tenon.dryRun")] };
}

const replayed: Schema = {
  type: "boolean",
  enum: [true],
  description: "An earlier request with this Idempotency-Key did the write; this is its response. Nothing was sent.",
};
const page = {
  has_next_page: { type: "boolean" },
  end_cursor: { type: ["string", "null"], description: "Give it as `after` to get the next page." },
} as const;

/** Schemas of `meta` that the connector's answers have, and of the answer to a dry run. */
export function metaSchemas(model: ConnectorModel): Readonly<Record<string, Schema>> {
  const used = JSON.stringify(model.entities.flatMap((entity) => entity.actions.map(answerSchema)));
  return Object.fromEntries(Object.entries(everyMeta).filter(([name]) => used.includes(JSON.stringify(reference(name)))));
}

const everyMeta: Readonly<Record<string, Schema>> = {
  "tenon.writeMeta": object({ replayed, ...commonMeta }, []),
  "tenon.recordMeta": object(
    { has_next_page: { const: false }, end_cursor: { type: ["string", "null"], maxLength: 0 }, ...commonMeta },
    ["has_next_page", "end_cursor"],
  ),
  "tenon.pageMeta": object({ ...page, ...commonMeta }, ["has_next_page", "end_cursor"]),
  "tenon.totalMeta": object({ ...page, total_count: { type: "integer", minimum: 0 }, ...commonMeta }, [
    "has_next_page",
    "end_cursor",
    "total_count",
  ]),
  "tenon.dryRun": object(
    {
      data: { type: "null" },
      meta: object(
        {
          document: { type: "string", description: "The GraphQL document, or the method and path of the REST call." },
          variables: { type: "object" },
          points: { type: ["number", "null"], description: "What the call would take from the platform's hourly budget." },
          ...commonMeta,
        },
        ["document", "variables", "points"],
      ),
    },
    ["data", "meta"],
    { description: "The response when `dryRun` is true." },
  ),
};
