import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
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
import { type Chosen, chosenPlaces, isScalarPlace, nodeOf } from "./graphql-places.ts";
import { GraphqlWrites } from "./graphql-writes.ts";
import { unknownUrl } from "./questions.ts";

/** A field with its arguments as the place of a list or a record: `repository(owner: $owner, name: $name)`. */
interface Place {
  readonly text: string;
  readonly params: Draft;
}

/** An entity, with what its actions need. */
interface Found {
  readonly name: string;
  readonly node: GraphQLObjectType;
  /** The field with the list; undefined where the entity is one record. */
  readonly list: (Place & { readonly field: GraphQLField<unknown, unknown> }) | undefined;
  /** The fields around the list, outermost first; none for a list at the root. */
  readonly parents: readonly Place[];
  readonly scope: string;
  /** The record whose list it is, where that is not the scope: its type, and the params that name it. */
  readonly below?: { readonly node: GraphQLObjectType; readonly params: readonly string[] };
  readonly get: Place | undefined;
}

/**
 * Drafts a connector of a schema: entities are the connections at the root and in objects that the root finds by scalars. Types and
 * nullability are those of the schema.
 *
 * @param only names of the entities to take; all when empty
 */
export function draftGraphql(name: string, schema: GraphQLSchema, only: readonly string[]): DraftConnector {
  const draft = new GraphqlDraft(schema);
  const found = chosenPlaces(schema, only).map((one) => foundAt(schema, one));
  const parentOf = (node: GraphQLObjectType) => found.find((one) => one.node === node && one.list !== undefined)?.name;
  // Entities of one type share the fields of the one that has the type's name.
  const first = (node: GraphQLObjectType) => {
    const same = found.filter((one) => one.node === node);
    return (same.find(({ name: one }) => singular(one) === snake(node.name)) ?? same[0])?.name ?? "";
  };
  const entities = new Map(found.map((one) => [one.name, draft.entity(one, first(one.node), parentOf)]));
  const { fields, params } = factored(entities, pageParams);
  const scopes = Object.fromEntries(
    found.map(({ scope, parents, below }) => {
      const own = parents.flatMap((place) => Object.keys(place.params)).filter((param) => !below?.params.includes(param));
      const example = own.length === 0 ? {} : { example: own.map(() => "example").join("/") };
      return [scope, { params: own, doc: own.length === 0 ? "Everything that the credential sees." : todo, ...example }];
    }),
  );
  const [example] = found;
  const connector: Draft = {
    connector: name,
    title: typeName(name),
    doc: todo,
    example: {
      entity: example?.name ?? "",
      action: "list",
      params: Object.fromEntries(
        (example?.parents ?? []).flatMap((place) => Object.keys(place.params).map((param) => [param, "example"])),
      ),
    },
    platform: {
      auth: { env: `${snake(name).toUpperCase()}_TOKEN`, doc: todo },
      graphql: {
        url: `${unknownUrl}/graphql`,
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

/** The ways of an entity's actions to its records. */
function foundAt(schema: GraphQLSchema, { name, node, place, single }: Chosen): Found {
  if (place === undefined)
    return { name, node, list: undefined, parents: [], scope: "account", get: single && within([], placeOf(single, [])) };
  const parents: Place[] = [];
  const taken = () => parents.flatMap((one) => Object.keys(one.params));
  for (const field of place.around) parents.push(placeOf(field, taken()));
  const [first] = place.around;
  const isScope = first !== undefined && isScalarPlace(first);
  const record = place.around.length > 1 ? place.around.at(-1) : undefined;
  const type = record === undefined ? undefined : getNamedType(record.type);
  const below = isObjectType(type) ? { node: type, params: Object.keys(parents.at(-1)?.params ?? {}) } : undefined;
  const beside = place.beside.find(
    (field) => getNamedType(field.type) === node && isScalarPlace(field) && field !== place.list && field.args.length > 0,
  );
  const byNode = beside === undefined ? nodeField(schema, node) : undefined;
  const get = beside === undefined ? byNode && placeOf(byNode, []) : placeOf(beside, taken());
  return {
    name,
    node,
    list: { ...placeOf(place.list, taken()), field: place.list },
    parents,
    scope: isScope ? snake(first.name) : "account",
    ...(below === undefined ? {} : { below }),
    get: get && within(byNode === undefined ? parents : [], get),
  };
}

/** A place inside of others. */
function within(parents: readonly Place[], { text, params }: Place): Place {
  const open = parents.map((one) => `${one.text} { `).join("");
  return {
    text: `${open}${text} { ...record }${" }".repeat(parents.length)}`,
    params: Object.assign({}, ...parents.map((one) => one.params), params) as Draft,
  };
}

/** The field of the root that finds any record by its id (the schema's global object identification). */
function nodeField(schema: GraphQLSchema, node: GraphQLObjectType): GraphQLField<unknown, unknown> | undefined {
  const field = schema.getQueryType()?.getFields()["node"];
  const type = field === undefined ? undefined : getNamedType(field.type);
  return field !== undefined && isInterfaceType(type) && node.getInterfaces().includes(type) && isScalarPlace(field)
    ? field
    : undefined;
}

function placeOf(field: GraphQLField<unknown, unknown>, taken: readonly string[]): Place {
  const args = field.args.filter(isRequiredArgument).map((argument) => {
    const param = taken.includes(argument.name) ? `${snake(field.name)}_${argument.name}` : argument.name;
    return { argument, param };
  });
  const given = args.map(({ argument, param }) => `${argument.name}: $${param}`).join(", ");
  return {
    text: given === "" ? field.name : `${field.name}(${given})`,
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

/** `?` where one of the fields may be null. */
function nullMark(...fields: readonly (GraphQLField<unknown, unknown> | undefined)[]): string {
  return fields.every((field) => field !== undefined && isNonNullType(field.type)) ? "" : "?";
}

function isNamedText(type: GraphQLOutputType): boolean {
  return getNullableType(type).toString() === "String";
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

  /** @param first the entity that has the fields of this type @param parentOf the entity with the records of a type, where the draft has one */
  entity(found: Found, first: string, parentOf: (node: GraphQLObjectType) => string | undefined): Draft {
    const { name, node, list, parents, get } = found;
    const fields = this.#fields(node, true);
    const own = keyOfFields(fields);
    const key = own === undefined || own === "id" ? {} : { key: own };
    const writes = name === first ? this.#writes.actions(node) : {};
    const single = list === undefined;
    return {
      entity: name,
      title: name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase()),
      ...(name === first ? { record: recordName(node.name), on: node.name, ...key } : { like: first }),
      doc: docOf(node.description),
      ...(name === first ? { fields } : {}),
      actions: {
        ...(single ? {} : { list: this.#list(list, parents) }),
        ...(get === undefined
          ? {}
          : {
              get: {
                doc: single ? `Reads the ${name.replaceAll("_", " ")}.` : `Reads one ${singular(name.replaceAll("_", " "))}.`,
                params: get.params,
                graphql: get.text,
              },
            }),
        ...writes,
      },
      ...this.#sync(found, fields, parentOf),
    };
  }

  #list({ field, text, params: own }: NonNullable<Found["list"]>, parents: readonly Place[]): Draft {
    const open = parents.map((place) => `${place.text} { `).join("");
    const close = " }".repeat(parents.length);
    const order = this.#order(field);
    const ordered = order === undefined ? text : text.endsWith(")") ? `${text.slice(0, -1)}, ${order})` : `${text}(${order})`;
    return {
      doc: docOf(field.description),
      params: { ...Object.assign({}, ...parents.map((place) => place.params), own), ...structuredClone(pageParams) },
      graphql: `${open}${ordered} { nodes { ...record } }${close}`,
      page: "connection",
    };
  }

  #sync({ list, scope, below }: Found, fields: Draft, parentOf: (node: GraphQLObjectType) => string | undefined): Draft {
    if (list === undefined) return { sync: [{ scope, action: "get" }] };
    if (below === undefined) {
      const isOrdered = this.#order(list.field) !== undefined && Object.hasOwn(fields, "updatedAt");
      return { sync: [{ scope, ...(isOrdered ? { cursor: { field: "updatedAt" } } : {}) }] };
    }
    const entity = parentOf(below.node);
    // The parent's records say how they are named in a call by fields of the same names.
    const named = below.params.every((param) => Object.hasOwn(below.node.getFields(), param));
    if (entity === undefined || !named) return {};
    return { sync: [{ scope, each: { entity, params: Object.fromEntries(below.params.map((param) => [param, param])) } }] };
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

  #fields(type: GraphQLObjectType | GraphQLInterfaceType, withObjects: boolean): Draft {
    const fields: Draft = {};
    for (const field of Object.values(type.getFields())) {
      if (field.deprecationReason || field.args.some(isRequiredArgument)) continue;
      const entry = this.#field(field, withObjects);
      if (entry !== undefined && /^[a-z][A-Za-z0-9]*$/.test(field.name)) fields[field.name] = entry;
    }
    return withObjects ? { ...this.#derived(type), ...fields } : fields;
  }

  /** Fields that are read from within others: how many elements a list has, and the names in references, by which a search can find them. */
  #derived(type: GraphQLObjectType | GraphQLInterfaceType): Draft {
    const derived: Draft = {};
    for (const field of Object.values(type.getFields())) {
      if (field.deprecationReason || field.args.some(isRequiredArgument) || !/^[a-z][A-Za-z0-9]*$/.test(field.name)) continue;
      const doc = docOf(field.description);
      const named = getNamedType(field.type);
      if (nodeOf(field.type) !== undefined && isObjectType(named) && named.getFields()["totalCount"] !== undefined) {
        const count = { type: `integer${nullMark(field)}`, from: `${field.name}.totalCount`, onRequest: true };
        derived[`${singular(field.name)}Count`] = { ...count, doc: `How many there are. ${doc}` };
        const list = this.#shortList(field);
        if (list !== undefined) derived[field.name] = { ...list, doc };
      } else if ((isObjectType(named) || isInterfaceType(named)) && !isListType(getNullableType(field.type))) {
        const inner = named.getFields();
        const by = ["login", "name", "title"].find((one) => inner[one]?.args.length === 0 && isNamedText(inner[one].type));
        if (by === undefined) continue;
        const from = {
          type: `string${nullMark(field, inner[by])}`,
          from: `${field.name}.${by}`,
          onRequest: true,
          search: "name",
        };
        derived[`${field.name}${typeName(by)}`] = { ...from, doc };
      }
    }
    return derived;
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
    if (!withObjects || !(isObjectType(named) || isInterfaceType(named)) || nodeOf(field.type) !== undefined) return undefined;
    const reference = this.#reference(named);
    return reference === undefined ? undefined : { type: wrap(reference), doc };
  }

  /** The first elements of a list that has the name of their type, such as the labels of an issue. */
  #shortList(field: GraphQLField<unknown, unknown>): Draft | undefined {
    const node = nodeOf(field.type);
    if (node === undefined || singular(snake(field.name)) !== snake(node.name) || node.getFields()["name"] === undefined)
      return undefined;
    const reference = this.#reference(node);
    const type = `[${reference}]${nullMark(field)}`;
    return reference === undefined
      ? undefined
      : { type, from: `${field.name}.nodes`, first: 100, search: { by: "name" }, onRequest: true };
  }

  /** An object in short: its id and its name. Undefined for an object that has neither. */
  #reference(type: GraphQLObjectType | GraphQLInterfaceType): string | undefined {
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
