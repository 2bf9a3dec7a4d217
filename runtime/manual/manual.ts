import { readFile } from "node:fs/promises";
import {
  type Action,
  actionOf,
  additionKey,
  type Connector,
  hasAnySize,
  pagingOf,
  type Relation,
  schemaNames,
  type Table,
  tableOf,
} from "../contract/index.ts";

// What people and programs read about a connector before they call it. It comes from the OpenAPI document that the generator wrote.

type Schema = Readonly<Record<string, unknown>>;

export interface ActionManual {
  readonly name: string;
  readonly doc: string;
  /** It is not part of the interface that connectors of this kind promise. */
  readonly addition?: true;
  readonly writes: boolean;
  /** JSON Schema of the parameters, without references except to conditions of a filter. */
  readonly params: Schema;
  /** Set where the action reads a list from the platform. */
  readonly list?: ListManual;
  /** Paths of the fields that tell what the action has written, where its spec names them. */
  readonly brief?: readonly string[];
}

/** How a list is paged. */
export interface ListManual {
  /** Params that take the size of a page and the cursor; absent where the whole list comes at once. */
  readonly size?: string;
  readonly cursor?: string;
  /** Each page may have another size, because a cursor names a record and not a page. */
  readonly anySize: boolean;
}

export interface EntityManual {
  readonly name: string;
  readonly doc: string;
  /** All its actions are additions. */
  readonly addition?: true;
  readonly actions: readonly ActionManual[];
  /** Fields that search by meaning knows. */
  readonly semantic: readonly string[];
  /** Other names that people use for it. */
  readonly aliases?: readonly string[];
  /** Paths of the fields that tell what a record is. A service of an older version does not say. */
  readonly brief?: readonly string[];
  /** Its table in SQL. */
  readonly table: Table;
  readonly relations: readonly Relation[];
  /** JSON Schema of the records of reads. Objects inside are references by name. */
  readonly record: Schema;
}

export interface Manual {
  readonly name: string;
  readonly title: string;
  readonly doc: string;
  readonly entities: readonly EntityManual[];
}

const manuals = new WeakMap<Connector, Promise<Manual>>();

/** The manual of a connector. It is read once. */
export function manualOf(connector: Connector): Promise<Manual> {
  const known = manuals.get(connector);
  if (known !== undefined) return known;
  const made = read(connector);
  manuals.set(connector, made);
  // A failure is not kept: the next call reads the file again.
  made.catch(() => manuals.delete(connector));
  return made;
}

async function read(connector: Connector): Promise<Manual> {
  const document = JSON.parse(await readFile(connector.openapi, "utf8")) as {
    readonly info: { readonly description: string };
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const { schemas } = document.components;
  const entities = Object.entries(connector.entities).map(
    ([name, { record, aliases, brief, store, relations = [] }]): EntityManual => {
      const { description, discriminator } = schemas[`${name}.request`] ?? {};
      const requests = isSchema(discriminator) && isSchema(discriminator["mapping"]) ? Object.keys(discriminator["mapping"]) : [];
      return {
        name,
        doc: String(description ?? ""),
        ...additionOf(schemas[`${name}.request`]),
        actions: requests.map((action): ActionManual => {
          const names = schemaNames(name, action);
          const params = asOne(resolved(schemas[names.params] ?? { type: "object", properties: {} }, schemas, 0));
          const own = actionOf(connector, name, action);
          const writes = own?.traits.writes === true;
          const doc = String(schemas[names.request]?.["description"] ?? "");
          const shown = own?.operation.record.brief ?? (own?.operation.record === record ? brief : undefined);
          return {
            name: action,
            doc,
            ...additionOf(schemas[names.request]),
            writes,
            params,
            ...listOf(own),
            ...(writes && shown !== undefined ? { brief: shown } : {}),
          };
        }),
        semantic: semanticFields(schemas[`${name}.context_store_search.params`] ?? {}, schemas),
        ...(aliases === undefined ? {} : { aliases }),
        brief,
        table: tableOf(name, store),
        relations,
        record: schemas[record.name] ?? {},
      };
    },
  );
  return { name: connector.name, title: connector.title, doc: document.info.description, entities };
}

function additionOf(request: Schema | undefined): { readonly addition?: true } {
  return marked(request?.[additionKey] === true ? true : undefined);
}

/** The mark of an addition as a member of a description; nothing for what belongs to the interface. */
export function marked(addition: true | undefined): { readonly addition?: true } {
  return addition === undefined ? {} : { addition };
}

function listOf(action: Action | undefined): { readonly list?: ListManual } {
  if (action === undefined || !action.traits.list) return {};
  const { operation } = action;
  const { size, cursor } = pagingOf(operation) ?? {};
  if (size === undefined || cursor === undefined) return { list: { anySize: false } };
  return { list: { size, cursor, anySize: hasAnySize(operation) } };
}

/** The fields that the parameters of a cached search allow for `semantic.field`. */
function semanticFields(params: Schema, schemas: Readonly<Record<string, Schema>>): readonly string[] {
  const at = (schema: unknown, name: string): unknown => {
    const properties = isSchema(schema) ? schema["properties"] : undefined;
    return isSchema(properties) ? properties[name] : undefined;
  };
  const field = at(at(asOne(resolved(params, schemas, 0)), "semantic"), "field");
  if (!isSchema(field)) return [];
  return Array.isArray(field["enum"]) ? field["enum"].map(String) : "const" in field ? [String(field["const"])] : [];
}

/** The parameters of an action that takes one of several sets of them, such as a cached search by values or by meaning, as one set. */
function asOne(params: Schema): Schema {
  const { anyOf } = params;
  if (!Array.isArray(anyOf)) return params;
  const sets = anyOf.filter(isSchema);
  const required = sets.map((set) => (Array.isArray(set["required"]) ? set["required"].map(String) : []));
  return {
    type: "object",
    properties: Object.assign({}, ...sets.map((set) => set["properties"])) as Schema,
    required: (required[0] ?? []).filter((name) => required.every((names) => names.includes(name))),
    additionalProperties: false,
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `#/components/schemas/issues.get.request` → `issues.get.request` */
function nameIn(reference: unknown): string {
  return String(reference).replace(/^#\/components\/schemas\//, "");
}

/** Puts enumerations and other short schemas in the place of references to them. A filter refers to itself, so it stays a reference. */
function resolved(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): Schema {
  if (depth > 8) return schema;
  const reference = schema["$ref"];
  if (typeof reference === "string") {
    const name = nameIn(reference);
    if (name.endsWith(".filter")) return { type: "object", description: "A filter: operator, then field, then value." };
    return resolved(schemas[name] ?? {}, schemas, depth + 1);
  }
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, inside(value, schemas, depth)]));
}

function inside(value: unknown, schemas: Readonly<Record<string, Schema>>, depth: number): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => inside(one, schemas, depth));
  return isSchema(value) ? resolved(value, schemas, depth + 1) : value;
}
