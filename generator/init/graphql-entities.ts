import {
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
import { type Draft, docOf, foundBy, hitOf, keyOfFields, pageParams, recordName, singular, snake, typeName } from "./draft.ts";
import type { Found, Place } from "./graphql-found.ts";
import { nodeOf } from "./graphql-places.ts";
import { GraphqlWrites } from "./graphql-writes.ts";

/** Drafts the entities of a schema, and the types, enumerations and scalars that they share. */
export class GraphqlDraft {
  readonly enums: Draft = {};
  readonly types: Draft = {};
  readonly #schema: GraphQLSchema;
  readonly #scalars: Draft = {};
  readonly #writes: GraphqlWrites;
  readonly #entityOf: (node: GraphQLObjectType) => string | undefined;

  /** @param entityOf the entity with the records of a type, where the draft has one */
  constructor(schema: GraphQLSchema, entityOf: (node: GraphQLObjectType) => string | undefined) {
    this.#schema = schema;
    this.#entityOf = entityOf;
    this.#writes = new GraphqlWrites(
      schema,
      (type) => this.#scalar(type),
      (payload) => this.#result(payload),
    );
  }

  get scalars(): Draft {
    return Object.keys(this.#scalars).length === 0 ? {} : { scalars: this.#scalars };
  }

  /** @param first the entity that has the fields of this type */
  entity(found: Found, first: string): Draft {
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
      ...(name === first ? { fields, ...hitOf(fields, [own ?? "id"]) } : {}),
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
      ...this.#sync(found, fields),
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

  #sync({ list, scope, below }: Found, fields: Draft): Draft {
    if (list === undefined) return { sync: [{ scope, action: "get" }] };
    if (below === undefined) {
      const isOrdered = this.#order(list.field) !== undefined && Object.hasOwn(fields, "updatedAt");
      return { sync: [{ scope, ...(isOrdered ? { cursor: { field: "updatedAt" } } : {}) }] };
    }
    const entity = this.#entityOf(below.node);
    // The parent's records say how they are named in a call by fields that have the names of its arguments.
    const named = Object.values(below.params).every((field) => Object.hasOwn(below.node.getFields(), field));
    return entity === undefined || !named ? {} : { sync: [{ scope, each: { entity, params: below.params } }] };
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

  /**
   * Fields that are read from within others: how many elements a list has, and the names in references, by which a search can find them.
   */
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
      const own = isEnumType(named) ? this.#enum(named.name) : this.#scalar(named.name);
      // A scalar such as `JSON` may be a text or a list too, and one such as `JSONObject` may not.
      const scalar = own === "object" && !/object/i.test(named.name) ? "json" : own;
      const type = wrap(scalar);
      return { type, ...(withObjects ? foundBy(field.name, type) : {}), doc };
    }
    if (!withObjects || !(isObjectType(named) || isInterfaceType(named)) || nodeOf(field.type) !== undefined) return undefined;
    const id = isObjectType(named) && !list && this.#entityOf(named) !== undefined ? named.getFields()["id"] : undefined;
    // What another entity has is named by its id, by which records are found; its name is a field of its own.
    if (id !== undefined && /^(id|string)$/.test(this.#scalar(getNamedType(id.type).name)))
      return { type: `id${nullMark(field, id)}`, from: `${field.name}.id`, search: "exact", doc };
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

  /** The type of what a mutation gives without a record: its single values. */
  #result(payload: GraphQLObjectType): string | undefined {
    const fields = this.#fields(payload, false);
    if (Object.keys(fields).length === 0) return undefined;
    this.types[payload.name] ??= { on: payload.name, doc: docOf(payload.description), fields };
    return payload.name;
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

/** `?` where one of the fields may be null. */
function nullMark(...fields: readonly (GraphQLField<unknown, unknown> | undefined)[]): string {
  return fields.every((field) => field !== undefined && isNonNullType(field.type)) ? "" : "?";
}

function isNamedText(type: GraphQLOutputType): boolean {
  return getNullableType(type).toString() === "String";
}
