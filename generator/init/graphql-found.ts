import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import { boundedParam, type Draft, docOf, snake } from "./draft.ts";
import { type Chosen, isScalarPlace } from "./graphql-places.ts";

/** A field with its arguments as the place of a list or a record: `repository(owner: $owner, name: $name)`. */
export interface Place {
  readonly text: string;
  readonly params: Draft;
}

/** An entity, with what its actions need. */
export interface Found {
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

/** The ways of an entity's actions to its records. */
export function foundAt(schema: GraphQLSchema, { name, node, place, single }: Chosen): Found {
  if (place === undefined)
    return { name, node, list: undefined, parents: [], scope: "account", get: single && placedIn([], placeOf(single, [])) };
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
    get: get && placedIn(byNode === undefined ? parents : [], get),
  };
}

/** A place inside of others. */
function placedIn(parents: readonly Place[], { text, params }: Place): Place {
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
