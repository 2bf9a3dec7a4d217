import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from "graphql";
import { singular, snake } from "./draft.ts";

type Field = GraphQLField<unknown, unknown>;

/** A list of records, and the fields around it. */
export interface ListPlace {
  readonly list: Field;
  readonly node: GraphQLObjectType;
  /** The fields around the list, outermost first; none for a list at the root. */
  readonly around: readonly Field[];
  /** The fields of the object that has the list. */
  readonly beside: readonly Field[];
}

/** A list that becomes an entity; without a list, the entity is one record that a field of the root has. */
export interface Chosen {
  readonly name: string;
  readonly node: GraphQLObjectType;
  readonly place: ListPlace | undefined;
  /** The field of the root, where there is no list. */
  readonly single?: Field;
}

/**
 * The lists that become entities.
 *
 * @param only names of the wanted entities, each alone or with the place of its list: `tags=repository.refs`. When there are none, every
 * type
 *   of record is taken once, by the shortest way
 */
export function chosenPlaces(schema: GraphQLSchema, only: readonly string[]): Chosen[] {
  const places = listPlaces(schema);
  return only.length === 0
    ? eachTypeOnce(places)
    : only.flatMap((wanted) => named(schema, places, wanted, only.map(wantedName)) ?? []);
}

/** The name of an entity that `--only` asks for. */
export function wantedName(wanted: string): string {
  return wanted.split("=")[0] ?? wanted;
}

/** The type of the records, where a type is a connection. */
export function nodeOf(type: GraphQLOutputType): GraphQLObjectType | undefined {
  const named = getNamedType(type);
  if (!isObjectType(named)) return undefined;
  const { nodes, pageInfo } = named.getFields();
  const node = nodes === undefined || pageInfo === undefined ? undefined : getNamedType(nodes.type);
  return isObjectType(node) ? node : undefined;
}

/** Whether a field needs nothing but scalars, and at least one of them, to find one record. */
export function isScalarPlace({ args }: Field): boolean {
  const required = args.filter(isRequiredArgument);
  return required.length > 0 && required.every(({ type }) => isScalarType(getNullableType(type)));
}

/** All lists at the root, in objects of the root, and in records that are found within these. The shortest ways come first. */
function listPlaces(schema: GraphQLSchema): ListPlace[] {
  const roots = current(Object.values(schema.getQueryType()?.getFields() ?? {}));
  const all: ListPlace[] = listsAmong(roots, []);
  const objects = roots.filter((field) => objectOf(field) !== undefined && (isScalarPlace(field) || isSingle(field)));
  for (const field of objects) all.push(...listsAmong(fieldsOf(field), [field]));
  for (const field of objects.filter(isScalarPlace))
    for (const inner of fieldsOf(field))
      if (objectOf(inner) !== undefined && isScalarPlace(inner)) all.push(...listsAmong(fieldsOf(inner), [field, inner]));
  return all;
}

function listsAmong(beside: readonly Field[], around: readonly Field[]): ListPlace[] {
  return beside.flatMap((list) => {
    const node = nodeOf(list.type);
    return node === undefined ? [] : [{ list, node, around, beside }];
  });
}

/** Lists that have the name of their type come first: `issues` of Issue before `assignedIssues`. */
function eachTypeOnce(places: readonly ListPlace[]): Chosen[] {
  const found = new Map<string, Chosen>();
  const open = places.filter(({ list }) => !list.args.some(isRequiredArgument));
  for (const byName of [true, false])
    for (const place of open) {
      const { list, node } = place;
      const name = snake(list.name);
      if (isNamedByType(name, node) !== byName || [...found.values()].some((one) => one.node === node)) continue;
      const free = [name, withOwner(place)].find((one) => one !== undefined && !found.has(one));
      if (free !== undefined) found.set(free, { name: free, node, place });
    }
  return [...found.values()];
}

/** The best place of a wanted entity; undefined when nothing fits its name. @param all names of all wanted entities */
function named(schema: GraphQLSchema, places: readonly ListPlace[], wanted: string, all: readonly string[]): Chosen | undefined {
  const [name = "", path] = wanted.split("=");
  const ranks: readonly ((place: ListPlace) => boolean)[] =
    path === undefined
      ? [
          ({ list, node }) => snake(list.name) === name && isNamedByType(name, node),
          ({ list }) => snake(list.name) === name,
          ({ list }) => withoutVersion(snake(list.name)) === name,
          (place) => withOwner(place) === name,
          ({ node }) => isNamedByType(name, node),
        ]
      : [({ around, list }) => [...around, list].map((field) => field.name).join(".") === path];
  for (const fits of ranks) {
    const fitting = places.filter((one) => fits(one) && (path !== undefined || !one.list.args.some(isRequiredArgument)));
    // A list below records that are wanted themselves can be synced for each of them.
    const place = fitting.find(({ around }) => around.length < 2 || all.some((one) => isOwner(around.at(-1), one))) ?? fitting[0];
    if (place !== undefined) return { name, node: place.node, place };
  }
  const single = current(Object.values(schema.getQueryType()?.getFields() ?? {})).find(
    (field) => (path === undefined ? snake(field.name) === name : field.name === path) && isSingle(field),
  );
  const node = single === undefined ? undefined : objectOf(single);
  return single === undefined || node === undefined ? undefined : { name, node, place: undefined, single };
}

/** Whether a field has a record of an entity. */
function isOwner(field: Field | undefined, entity: string): boolean {
  const type = field && objectOf(field);
  return type !== undefined && isNamedByType(entity, type);
}

function isNamedByType(name: string, node: GraphQLObjectType): boolean {
  return singular(name) === snake(node.name);
}

/** The name of a list with the object that has it: `project_items`. */
function withOwner({ list, around }: ListPlace): string | undefined {
  const owner = around.at(-1);
  return owner === undefined ? undefined : `${withoutVersion(snake(owner.name))}_${withoutVersion(snake(list.name))}`;
}

/** `projects_v2` → `projects`. */
function withoutVersion(name: string): string {
  return name.replace(/_v\d+$/, "");
}

/** Whether a field of the root is one object that needs no argument, such as the account of the credential. */
function isSingle(field: Field): boolean {
  return objectOf(field) !== undefined && !field.args.some(isRequiredArgument);
}

/** The type of a field that is one object and no connection. */
function objectOf({ type }: Field): GraphQLObjectType | undefined {
  const bare = getNullableType(type);
  return isObjectType(bare) && nodeOf(bare) === undefined ? bare : undefined;
}

function fieldsOf(field: Field): Field[] {
  return current(Object.values(objectOf(field)?.getFields() ?? {}));
}

function current(fields: readonly Field[]): Field[] {
  return fields.filter((field) => !field.deprecationReason);
}
