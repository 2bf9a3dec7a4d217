import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { boundedParam, type Draft, docOf, exampleOf, longestId, snake } from "./draft.ts";
import { type Chosen, isScalarPlace, type ListPlace } from "./graphql-places.ts";

/** A field with its arguments as the place of a list or a record: `repository(owner: $owner, name: $name)`. */
export interface Place {
  readonly text: string;
  readonly params: Draft;
  /** The argument of each param. */
  readonly args: Readonly<Record<string, string>>;
}

interface Below {
  readonly node: GraphQLObjectType;
  readonly params: Readonly<Record<string, string>>;
}

/** An entity, with what its actions need. */
export interface Found {
  readonly name: string;
  readonly node: GraphQLObjectType;
  /** The field with the list; undefined where the entity is one record. */
  readonly list: (Place & { readonly field: GraphQLField<unknown, unknown> }) | undefined;
  /** The fields around the list, outermost first; none for a list at the root. */
  readonly parents: readonly Place[];
  readonly around: ListPlace["around"];
  readonly scope: string;
  /** The record whose list it is, where that is not the scope: its type, and the params that name it, each with its argument. */
  readonly below?: Below;
  readonly get: Place | undefined;
}

/** The ways of an entity's actions to its records. */
export function foundAt(schema: GraphQLSchema, { name, node, place, single }: Chosen): Found {
  if (place === undefined)
    return {
      name,
      node,
      list: undefined,
      parents: [],
      around: [],
      scope: "account",
      get: single && placedIn([], placeOf(single, [])),
    };
  const parents: Place[] = [];
  const taken = () => parents.flatMap((one) => Object.keys(one.params));
  for (const field of place.around) parents.push(placeOf(field, taken(), true));
  const [first] = place.around;
  const isScope = first !== undefined && isScalarPlace(first);
  const below = place.around.length > 1 ? belowOf(place.around, parents) : undefined;
  const beside = place.beside.find((field) => getNullableType(field.type) === node && isScalarPlace(field));
  const byNode = beside === undefined ? nodeField(schema, node) : undefined;
  const get = beside === undefined ? byNode && placeOf(byNode, []) : placeOf(beside, taken());
  return {
    name,
    node,
    list: { ...placeOf(place.list, taken()), field: place.list },
    parents,
    around: place.around,
    scope: isScope ? snake(first.name) : "account",
    ...(below === undefined ? {} : { below }),
    get: get && placedIn(byNode === undefined ? parents : [], get),
  };
}

/** Reads each list below one record for every record of the list at the root that has these, where the draft has it. */
export function withinOthers(found: readonly Found[]): Found[] {
  return found.map((one) => {
    const below = one.around.length === 1 ? belowOf(one.around, one.parents) : undefined;
    const owner = found.find(({ node, list, around }) => node === below?.node && list !== undefined && around.length === 0);
    return below === undefined || owner?.list === undefined || Object.keys(owner.list.params).length > 0
      ? one
      : { ...one, below, scope: owner.scope };
  });
}

function belowOf(around: ListPlace["around"], parents: readonly Place[]): Below | undefined {
  const record = around.at(-1);
  const node = record === undefined ? undefined : getNamedType(record.type);
  return isObjectType(node) ? { node, params: parents.at(-1)?.args ?? {} } : undefined;
}

/** A place inside of others. */
function placedIn(parents: readonly Place[], { text, params, args }: Place): Place {
  const open = parents.map((one) => `${one.text} { `).join("");
  return {
    text: `${open}${text} { ...record }${" }".repeat(parents.length)}`,
    params: Object.assign({}, ...parents.map((one) => one.params), params) as Draft,
    args: Object.assign({}, ...parents.map((one) => one.args), args) as Place["args"],
  };
}

/** The field of the root that finds any record by its id (the schema's global object identification). */
function nodeField(schema: GraphQLSchema, node: GraphQLObjectType): GraphQLField<unknown, unknown> | undefined {
  const field = schema.getQueryType()?.getFields()["node"];
  const type = field === undefined ? undefined : getNamedType(field.type);
  return field !== undefined && node.getInterfaces().some((one) => one === type) && isScalarPlace(field) ? field : undefined;
}

/** @param isAround whether the field has the list: its `id` is then not the record's, and is called after the field */
function placeOf(field: GraphQLField<unknown, unknown>, taken: readonly string[], isAround = false): Place {
  const args = field.args.filter(isRequiredArgument).map((argument) => {
    const own = isAround && argument.name === "id" && !taken.includes(field.name) ? field.name : argument.name;
    const param = taken.includes(own) ? `${snake(field.name)}_${own}` : own;
    return { argument, param };
  });
  const given = args.map(({ argument, param }) => `${argument.name}: $${param}`).join(", ");
  return {
    text: given === "" ? field.name : `${field.name}(${given})`,
    params: Object.fromEntries(
      args.map(({ argument, param }) => {
        const entry = paramOf(argument);
        return [param, { ...entry, required: true, example: exampleOf(entry, {}) }];
      }),
    ),
    args: Object.fromEntries(args.map(({ argument, param }) => [param, argument.name])),
  };
}

function paramOf(argument: GraphQLArgument): Draft {
  const type = { Int: "integer", Float: "number", Boolean: "boolean" }[getNamedType(argument.type).name] ?? "string";
  return boundedParam(
    type,
    { doc: docOf(argument.description) },
    type === "string" ? { least: 1, most: longestId } : { least: 1 },
  );
}
