import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  specifiedScalarTypes,
} from "graphql";
import {
  boundedParam,
  type Draft,
  type DraftConnector,
  docOf,
  keyOfFields,
  pageParams,
  recordName,
  searchOf,
  singular,
  snake,
  todo,
  typeName,
} from "./draft.ts";
import { factored } from "./factor.ts";
import { GraphqlWrites } from "./graphql-writes.ts";

/** A field with its arguments as the place of a list or a record: `repository(owner: $owner, name: $name)`. */
interface Place {
  readonly text: string;
  readonly params: Draft;
}

interface Found {
  readonly name: string;
  readonly node: GraphQLObjectType;
  readonly list: GraphQLField<unknown, unknown>;
  /** The fields around the list, outermost first; none for a list at the root. */
  readonly parents: readonly Place[];
  readonly scope: string;
  readonly get: string | undefined;
  readonly getParams: Draft;
}

/**
 * Drafts a connector of a schema: entities are the connections at the root and in objects that the root finds by scalars. Types and
 * nullability are those of the schema.
 *
 * @param only names of the entities to take; all when empty
 */
export function draftGraphql(name: string, schema: GraphQLSchema, only: readonly string[]): DraftConnector {
  const draft = new GraphqlDraft(schema);
  const found = entitiesOf(schema, only).filter((one) => only.length === 0 || only.includes(one.name));
  const entities = new Map(found.map((one) => [one.name, draft.entity(one)]));
  const { fields, params } = factored(entities, pageParams);
  const scopes = Object.fromEntries(
    found.map(({ scope, parents }) => {
      const own = parents.flatMap((place) => Object.keys(place.params));
      const example = own.length === 0 ? {} : { example: own.map(() => "example").join("/") };
      return [scope, { params: own, doc: own.length === 0 ? "Everything that the credential sees." : todo, ...example }];
    }),
  );
  const [first] = found;
  const connector: Draft = {
    connector: name,
    title: typeName(name),
    doc: todo,
    example: {
      entity: first?.name ?? "",
      action: "list",
      params: Object.fromEntries(
        (first?.parents ?? []).flatMap((place) => Object.keys(place.params).map((param) => [param, "example"])),
      ),
    },
    platform: {
      auth: { env: `${snake(name).toUpperCase()}_TOKEN`, doc: todo },
      graphql: {
        url: "https://api.example.com/graphql",
        env: `${snake(name).toUpperCase()}_GRAPHQL_URL`,
        schema: "schema.graphql",
        ...draft.scalars,
      },
    },
    scopes,
    params,
    fields,
    enums: draft.enums,
    types: draft.types,
  };
  return { connector, entities, notes: ["platform.auth and platform.graphql.url: a schema does not say them"] };
}

/** Every list that can be reached, each type of record once: by the shortest way. */
function entitiesOf(schema: GraphQLSchema, only: readonly string[]): Found[] {
  const query = schema.getQueryType();
  if (!query) return [];
  const roots = Object.values(query.getFields()).filter((field) => !field.deprecationReason);
  const found = new Map<string, Found>();
  const add = (
    list: GraphQLField<unknown, unknown>,
    parents: readonly Place[],
    scope: string,
    around: readonly GraphQLField<unknown, unknown>[],
  ) => {
    const node = nodeOf(list.type);
    if (node === undefined || list.deprecationReason || list.args.some(isRequiredArgument)) return;
    const name = snake(list.name);
    // One entity for each type of record: the one that is reached first, which is at the root where there is one.
    const known = [...found.values()].some((one) => one.node === node);
    if (found.has(name) || (known && !only.includes(name))) return;
    const get = around.find(
      (field) => getNamedType(field.type) === node && isScalarPlace(field) && field !== list && field.args.length > 0,
    );
    const place =
      get === undefined
        ? undefined
        : placeOf(
            get,
            parents.flatMap((one) => Object.keys(one.params)),
          );
    found.set(name, { name, node, list, parents, scope, get: place?.text, getParams: place?.params ?? {} });
  };
  // Lists that have the name of their type come first: `issues` of Issue before `assignedIssues`.
  for (const byName of [true, false]) {
    const wanted = (list: GraphQLField<unknown, unknown>) => {
      const node = nodeOf(list.type);
      return node !== undefined && (singular(snake(list.name)) === snake(node.name)) === byName;
    };
    for (const field of roots.filter(wanted)) add(field, [], "account", roots);
    for (const field of roots) {
      const type = getNamedType(field.type);
      if (!isObjectType(type) || !isScalarPlace(field) || nodeOf(field.type) !== undefined) continue;
      const inner = Object.values(type.getFields()).filter((one) => !one.deprecationReason);
      for (const list of inner.filter(wanted)) add(list, [placeOf(field, [])], snake(field.name), inner);
    }
  }
  return [...found.values()];
}

/** Whether a field needs nothing but scalars, and at least one of them, to find one record. */
function isScalarPlace({ args }: GraphQLField<unknown, unknown>): boolean {
  const required = args.filter(isRequiredArgument);
  return required.length > 0 && required.every(({ type }) => isScalarType(getNullableType(type)));
}

function placeOf(field: GraphQLField<unknown, unknown>, taken: readonly string[]): Place {
  const args = field.args.filter(isRequiredArgument).map((argument) => {
    const param = taken.includes(argument.name) ? `${snake(field.name)}_${argument.name}` : argument.name;
    return { argument, param };
  });
  return {
    text: `${field.name}(${args.map(({ argument, param }) => `${argument.name}: $${param}`).join(", ")})`,
    params: Object.fromEntries(
      args.map(({ argument, param }) => [param, { ...paramOf(argument), required: true, example: exampleOf(argument) }]),
    ),
  };
}

function paramOf(argument: GraphQLArgument): Draft {
  const type = { Int: "integer", Float: "number", Boolean: "boolean" }[getNamedType(argument.type).name] ?? "string";
  return boundedParam(type, { doc: docOf(argument.description) }, type === "string" ? { least: 1, most: 255 } : { least: 1 });
}

function exampleOf(argument: GraphQLArgument): unknown {
  return { Int: 1, Float: 1, Boolean: true }[getNamedType(argument.type).name] ?? "example";
}

/** The type of the records, where a type is a connection. */
function nodeOf(type: GraphQLOutputType): GraphQLObjectType | undefined {
  const named = getNamedType(type);
  if (!isObjectType(named)) return undefined;
  const { nodes, pageInfo } = named.getFields();
  const node = nodes === undefined || pageInfo === undefined ? undefined : getNamedType(nodes.type);
  return isObjectType(node) ? node : undefined;
}

/** What several entities of one draft share. */
class GraphqlDraft {
  readonly enums: Draft = {};
  readonly types: Draft = {};
  readonly #schema: GraphQLSchema;
  readonly #scalars: Draft = {};
  readonly #writes: GraphqlWrites;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    this.#writes = new GraphqlWrites(schema, (type) => this.#scalar(type));
  }

  get scalars(): Draft {
    return Object.keys(this.#scalars).length === 0 ? {} : { scalars: this.#scalars };
  }

  entity({ name, node, list, parents, scope, get, getParams }: Found): Draft {
    const fields = this.#fields(node, true);
    const changed = this.#order(list);
    const open = parents.map((place) => `${place.text} { `).join("");
    const close = parents.map(() => " }").join("");
    const params = Object.assign({}, ...parents.map((place) => place.params)) as Draft;
    const text = `${open}${list.name}${changed === undefined ? "" : `(${changed})`} { nodes { ...record } }${close}`;
    const own = keyOfFields(fields);
    const key = own === undefined || own === "id" ? {} : { key: own };
    const cursor = changed !== undefined && Object.hasOwn(fields, "updatedAt") ? { cursor: { field: "updatedAt" } } : {};
    const writes = parents.length === 0 ? this.#writes.actions(node) : {};
    return {
      entity: name,
      title: name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase()),
      record: recordName(node.name),
      on: node.name,
      ...key,
      doc: docOf(node.description),
      fields,
      actions: {
        list: {
          doc: docOf(list.description),
          params: { ...params, ...structuredClone(pageParams) },
          graphql: text,
          page: "connection",
        },
        ...(get === undefined
          ? {}
          : {
              get: {
                doc: `Reads one ${singular(name.replaceAll("_", " "))}.`,
                params: { ...params, ...getParams },
                graphql: `${open}${get} { ...record }${close}`,
              },
            }),
        ...writes,
      },
      sync: [{ scope, ...cursor }],
    };
  }

  /** The arguments that order a list by its changes, newest first; undefined where there are none. */
  #order({ args }: GraphQLField<unknown, unknown>): string | undefined {
    const order = args.find(({ name }) => name === "orderBy");
    const type = order === undefined ? undefined : getNamedType(order.type);
    if (isEnumType(type)) return type.getValue("updatedAt") ? "orderBy: updatedAt" : undefined;
    if (!isInputObjectType(type)) return undefined;
    const { field, direction } = type.getFields();
    const [by, way] = [field, direction].map((one) => (one === undefined ? undefined : getNamedType(one.type)));
    const known = isEnumType(by) && by.getValue("UPDATED_AT") && isEnumType(way) && way.getValue("DESC");
    return known ? "orderBy: {field: UPDATED_AT, direction: DESC}" : undefined;
  }

  #fields(type: GraphQLObjectType, withObjects: boolean): Draft {
    const fields: Draft = {};
    for (const field of Object.values(type.getFields())) {
      if (field.deprecationReason || field.args.some(isRequiredArgument)) continue;
      const entry = this.#field(field, withObjects);
      if (entry !== undefined && /^[a-z][A-Za-z0-9]*$/.test(field.name)) fields[field.name] = entry;
    }
    return fields;
  }

  #field(field: GraphQLField<unknown, unknown>, withObjects: boolean): Draft | undefined {
    const named = getNamedType(field.type);
    const list = isListType(getNullableType(field.type));
    const wrap = (name: string) => `${list ? `[${name}]` : name}${isNonNullType(field.type) ? "" : "?"}`;
    const doc = docOf(field.description);
    if (isScalarType(named) || isEnumType(named)) {
      const scalar = isEnumType(named) ? this.#enum(named.name) : this.#scalar(named.name);
      const type = wrap(scalar);
      const search = withObjects ? searchOf(field.name, type) : undefined;
      return { type, ...(search === undefined ? {} : { search }), doc };
    }
    if (!withObjects || !isObjectType(named) || nodeOf(field.type) !== undefined) return undefined;
    const reference = this.#reference(named);
    return reference === undefined ? undefined : { type: wrap(reference), doc };
  }

  /** An object in short: its id and its name. Undefined for an object that has neither. */
  #reference(type: GraphQLObjectType): string | undefined {
    const name = `${type.name}Reference`;
    if (Object.hasOwn(this.types, name)) return name;
    const wanted = ["id", "key", "identifier", "number", "login", "name", "title", "email", "url"];
    const fields = Object.fromEntries(Object.entries(this.#fields(type, false)).filter(([field]) => wanted.includes(field)));
    if (Object.keys(fields).length === 0) return undefined;
    this.types[name] = { on: type.name, doc: docOf(type.description), fields };
    return name;
  }

  #enum(name: string): string {
    const type = this.#schema.getType(name);
    if (isEnumType(type) && !Object.hasOwn(this.enums, name))
      this.enums[name] = {
        doc: docOf(type.description),
        values: Object.fromEntries(type.getValues().map((one) => [one.name, docOf(one.description)])),
      };
    return name;
  }

  #scalar(name: string): string {
    const standard = { ID: "id", Int: "integer", Float: "number", Boolean: "boolean", String: "string" }[name];
    if (standard !== undefined && specifiedScalarTypes.some((one) => one.name === name)) return standard;
    const own = /^(Timeless)?Date$/.test(name)
      ? "date"
      : /(time|stamp)/i.test(name) && !/duration/i.test(name)
        ? "timestamp"
        : /json/i.test(name)
          ? "object"
          : /uuid/i.test(name)
            ? "id"
            : "string";
    this.#scalars[name] = own;
    return own;
  }
}
