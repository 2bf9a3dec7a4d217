import { snakeCase } from "../../../runtime/base/text.ts";
import {
  dedups,
  fieldOperators,
  type OperandKind,
  type SearchType,
  schemaNames,
  searchLimits,
  semanticLimits,
  sqlAction,
  storeAction,
  storeLimits,
} from "../../../runtime/contract/index.ts";
import type { EntityModel } from "../../model/types.ts";
import { fieldsSchema, requestSchema } from "./actions.ts";
import { commonMeta, object, reference, type Schema } from "./schema.ts";

/** Schemas of the cached search of an entity: filter, parameters, request and answer. */
export function searchSchemas(entity: EntityModel): Readonly<Record<string, Schema>> {
  const names = schemaNames(entity.name, storeAction);
  const filter = `${entity.name}.filter`;
  return {
    [filter]: filterSchema(entity, filter),
    ...paramsSchemas(entity, filter, names.params),
    [names.request]: requestSchema(entity.name, storeAction, names.params, true, "Searches the records that a sync has stored."),
    [names.answer]: answerSchema(entity),
  };
}

/** Every field in camelCase and in snake_case, as filters and sorts take it. */
function spellings(fields: readonly string[]): string[] {
  return [...new Set(fields.flatMap((name) => [name, snakeCase(name)]))];
}

/** What an operator compares with. The types of single fields are checked by the service, which names the place of a fault. */
const operands: Readonly<Record<OperandKind, Schema>> = {
  value: { type: ["string", "number"] },
  nullable: { type: ["string", "number", "boolean", "null"] },
  list: { type: "array", minItems: 1, maxItems: searchLimits.values, items: { type: ["string", "number", "boolean", "null"] } },
  text: { type: "string", maxLength: searchLimits.text },
};

function filterSchema({ store }: EntityModel, own: string): Schema {
  const fields = Object.entries(store.fields);
  const tests = Object.entries(fieldOperators).flatMap(([name, { operand, types, lists, doc }]) => {
    const allowed = fields
      .filter(([, { type, list }]) => (types as readonly SearchType[]).includes(type) && (lists || list === undefined))
      .map(([field]) => field);
    if (allowed.length === 0) return [];
    const test = {
      type: "object",
      description: doc,
      minProperties: 1,
      propertyNames: { enum: spellings(allowed) },
      additionalProperties: operands[operand],
    };
    return [[name, test] as const];
  });
  const list = { type: "array", minItems: 1, items: reference(own) };
  return object({ ...Object.fromEntries(tests), not: reference(own), and: list, or: list }, [], {
    description: "Operator, then field, then value. Several operators or fields in one object are joined by `and`.",
    minProperties: 1,
  });
}

/** The parameters of a search by conditions and, where the entity has it, of one by meaning. Each has a schema of its own. */
function paramsSchemas(entity: EntityModel, filter: string, name: string): Readonly<Record<string, Schema>> {
  const plain = paramsSchema(entity, filter);
  const semantic = semanticParamsSchema(entity, filter);
  if (semantic === undefined) return { [name]: plain };
  const own = { plain: `${name}.plain`, semantic: `${name}.semantic` };
  return {
    [name]: {
      description: "Parameters of a search by conditions, or of one by meaning.",
      anyOf: [reference(own.plain), reference(own.semantic)],
    },
    [own.plain]: plain,
    [own.semantic]: semantic,
  };
}

function paramsSchema({ name, store }: EntityModel, filter: string): Schema {
  const sort = {
    type: "array",
    minItems: 1,
    maxItems: searchLimits.sortKeys,
    description: "Records without a value are last in both directions; ties are broken by the key of the record.",
    items: {
      type: "object",
      minProperties: 1,
      maxProperties: 1,
      propertyNames: { enum: spellings(Object.keys(store.fields)) },
      additionalProperties: { enum: ["asc", "desc"] },
    },
  };
  return object(
    {
      query: object({ filter: reference(filter), sort }, [], { description: "An empty object finds all records." }),
      limit: { type: "integer", minimum: 1, maximum: storeLimits.most, default: storeLimits.default },
      cursor: { type: "string", description: "`meta.cursor` of the previous response to the same search." },
      fields: fieldsSchema,
      count: { type: "boolean", default: false, description: "Adds `meta.total_count`, the number of all matching records." },
      groupBy: {
        type: "array",
        minItems: 1,
        maxItems: searchLimits.groupFields,
        items: { enum: spellings(Object.keys(store.fields)) },
        description:
          "Returns groups of records with the same values instead of records. Cannot be combined with `sort`, `cursor` or `fields`.",
      },
      explain: { type: "boolean", default: false, description: "Adds `meta.plan`: which indexes the search used." },
    },
    ["query"],
    { description: `Parameters of ${name}.${storeAction}.` },
  );
}

/** The parameters of a search by meaning; undefined where no field is searched so. */
function semanticParamsSchema({ name, store }: EntityModel, filter: string): Schema | undefined {
  if (store.semantic === undefined) return undefined;
  const { fields } = store.semantic;
  const windows = Object.entries(fields).map(([field, { window }]) => `\`${field}\` ${window}`);
  const semantic = object(
    {
      field: { enum: Object.keys(fields), description: "The field whose passages are compared with the prompt." },
      prompt: { type: "string", minLength: 1, description: "What is sought, in plain words." },
      filter: reference(filter),
      context_size: {
        type: "integer",
        minimum: 1,
        maximum: Math.max(...Object.values(fields).map(({ window }) => window)),
        description: `The most characters of text around each hit; at most, and by default: ${windows.join(", ")}.`,
      },
      dedup: {
        enum: dedups,
        default: "max",
        description: "`max`: each record once, with its best passage; `none`: every passage.",
      },
      min_similarity: { type: "number", minimum: -1, maximum: 1, description: "Hits with a lower score are left out." },
    },
    ["field", "prompt"],
  );
  return object(
    {
      semantic,
      limit: { type: "integer", minimum: 1, maximum: semanticLimits.most, default: semanticLimits.default },
      cursor: { type: "string", description: "`meta.cursor` of the previous response to the same search." },
      fields: fieldsSchema,
      explain: { type: "boolean", default: false, description: "Adds `meta.plan`: how the search was run." },
    },
    ["semantic"],
    { description: `Parameters of ${name}.${storeAction} by meaning.` },
  );
}

/** A hit of a search by meaning. When the request chooses fields, `entity` has these. */
function hitSchema(): Schema {
  const metadata = object(
    {
      score: {
        type: "number",
        minimum: -1,
        maximum: 1,
        description: "Similarity of the passage, or of the record's two best ones.",
      },
      context: { type: "string", description: "The original text around the passage." },
      start: { type: "integer", minimum: 0, description: "Where the passage begins in the text, in UTF-16 code units." },
      end: { type: "integer", minimum: 0, description: "Where the passage ends in the text." },
    },
    ["score", "context", "start", "end"],
  );
  const entity = { type: "object", description: "The matched record." };
  return object({ entity, metadata }, ["entity", "metadata"], { description: "A hit, when the request has `semantic`." });
}

function answerSchema({ record, store }: EntityModel): Schema {
  const complete = {
    description: "A record with its default fields, which a response has if the request does not choose fields.",
    allOf: [reference(record.name)],
    required: Object.keys(store.fields),
  };
  const group = {
    type: "object",
    description: "A group, when the request has `groupBy`.",
    properties: { count: { type: "integer", minimum: 1 } },
    required: ["count"],
    additionalProperties: { type: ["string", "number", "boolean", "null"] },
  };
  const hits = store.semantic === undefined ? [] : [hitSchema()];
  const data = { type: "array", items: { anyOf: [complete, reference(record.name), group, ...hits] } };
  return object({ data, meta: reference("tenon.searchMeta") }, ["data", "meta"]);
}

/** `meta.plan` of a search by meaning. */
const semanticPlan = object(
  {
    model: { type: "string" },
    passages: { type: "integer" },
    scanned: { type: "integer" },
    candidates: { type: "integer" },
    filter: { enum: ["none", "mask", "test"] },
    times: { type: "object", additionalProperties: { type: "number" }, description: "Milliseconds of each part." },
  },
  ["model", "passages", "scanned", "candidates", "filter", "times"],
);

const texts = { type: "array", items: { type: "string" } };

/** Members of `meta` that all answers of the cache have. */
const cacheMeta: Readonly<Record<string, Schema>> = {
  has_more: { type: "boolean" },
  took_ms: { type: "number", minimum: 0, description: "Time of the search in milliseconds." },
  synced_at: {
    type: ["string", "null"],
    format: "date-time",
    description: "When the last complete sync ended, in the scope where that is longest ago; null before the first.",
  },
};

/** Schema of `meta` of a cached search. */
const searchMeta: Schema = object(
  {
    ...cacheMeta,
    cursor: { type: ["string", "null"], description: "Send it as `cursor` to continue." },
    total_count: { type: "integer", minimum: 0 },
    plan: {
      anyOf: [object({ driver: { type: "string" }, indexes: texts, steps: texts }, ["driver", "indexes", "steps"]), semanticPlan],
    },
    ...commonMeta,
  },
  ["has_more", "cursor", "took_ms", "synced_at"],
);

const value: Schema = { type: ["string", "number", "boolean", "null"] };
const sqlNames = schemaNames("", sqlAction);

/** Schemas of what the actions of the cache have in common: `meta` of a search, and all of a statement of SQL. */
export const cacheSchemas: Readonly<Record<string, Schema>> = {
  "tenon.searchMeta": searchMeta,
  [sqlNames.params]: object(
    {
      sql: { type: "string", minLength: 1, description: "A SELECT in PostgreSQL's dialect. Its tables are the entities." },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: storeLimits.most,
        default: storeLimits.default,
        description: "The most rows.",
      },
      explain: { type: "boolean", default: false, description: "Adds `meta.plan`: the SQL that the engine got." },
    },
    ["sql"],
    { description: `Parameters of ${sqlAction}.` },
  ),
  [sqlNames.request]: requestSchema(
    undefined,
    sqlAction,
    sqlNames.params,
    true,
    "Runs a SELECT over the cached records of all entities, whichever entity the request names.",
  ),
  [sqlNames.answer]: object(
    {
      data: {
        type: "array",
        items: {
          type: "object",
          description: "A row: the columns of the SELECT by their names.",
          additionalProperties: { anyOf: [value, { type: "array", items: value }] },
        },
      },
      meta: object({ ...cacheMeta, plan: object({ sql: { type: "string" } }, ["sql"]), ...commonMeta }, Object.keys(cacheMeta)),
    },
    ["data", "meta"],
  ),
};
