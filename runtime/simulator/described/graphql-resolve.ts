import {
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { connectionOf, type PageArguments } from "../graphql/connection.ts";
import { DataGap } from "../graphql/refusal.ts";
import type { ResolverContext } from "../graphql/resolver.ts";
import { fulfils, lookupIn } from "./graphql-filter.ts";
import { invalid, missing } from "./graphql-refusal.ts";
import { writeRecord } from "./graphql-write.ts";
import type { GraphqlFile, Json, PlatformFile, StoredRecord } from "./platform-file.ts";
import type { DescribedViewer, DescribedWorld } from "./rest-routes.ts";

type Context = ResolverContext<DescribedWorld, DescribedViewer>;

/**
 * Resolves every field by the conventions of most GraphQL APIs: a root field with an `id` finds a record, a field that is a connection
 * lists the records that it names or that name its parent, and a mutation creates, changes or removes a record.
 */
export function describedResolver(file: PlatformFile, graphql: GraphqlFile): GraphQLFieldResolver<unknown, Context> {
  return (source, args, { world }, info) => {
    const given = args as Readonly<Record<string, Json>>;
    const record = source as StoredRecord;
    const { fieldName, parentType, returnType, schema } = info;
    if (parentType === schema.getMutationType()) return writeRecord(file, graphql, world, given, info);
    const type = getNamedType(returnType);
    const isRoot = parentType === schema.getQueryType();
    const node = nodeType(type as GraphQLObjectType);
    if (node !== undefined) {
      // A connection that was made already, such as that of a write, is a record of its own.
      const all = isRoot ? collection(world, graphql, node) : related(world, graphql, record, parentType, node, fieldName);
      return page(all, given, graphql, info, world, isRoot ? "root" : String(record["id"]));
    }
    if (isRoot) return rootRecord(world, file, graphql, type.name, given);
    const value = Object.hasOwn(record, fieldName) ? record[fieldName] : undefined;
    if (isCompositeType(type) && isList(returnType))
      // The nodes of a page are records already; a list of a record has the ids of others.
      return idsOf(value).flatMap((one) => (typeof one === "object" ? [one] : (lookupIn(world)(one) ?? [])));
    if (isCompositeType(type) && typeof value === "string") return lookupIn(world)(value) ?? null;
    if (value !== undefined) return value;
    if (!isNonNullType(returnType)) return null;
    if (isList(returnType)) return [];
    if (isLeafType(type) && type.name === "Boolean") return false;
    throw new DataGap(parentType.name, fieldName);
  };
}

function isList(type: Parameters<GraphQLFieldResolver<unknown, unknown>>[3]["returnType"]): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type);
}

/** The type of the nodes, where a type is a connection. */
function nodeType(type: GraphQLObjectType): string | undefined {
  if (!isObjectType(type)) return undefined;
  const fields = type.getFields();
  const nodes = fields["nodes"];
  return nodes === undefined || fields["pageInfo"] === undefined ? undefined : getNamedType(nodes.type).name;
}

function collection(world: DescribedWorld, { like = {} }: GraphqlFile, type: string): readonly StoredRecord[] {
  return world.records[like[type] ?? type] ?? [];
}

/** The records that a field names by their ids, or those that name the parent. */
function related(
  world: DescribedWorld,
  graphql: GraphqlFile,
  parent: StoredRecord,
  parentType: GraphQLObjectType,
  type: string,
  field: string,
): readonly StoredRecord[] {
  const all = collection(world, graphql, type);
  if (Object.hasOwn(parent, field)) {
    const ids = idsOf(parent[field]);
    return all.filter((one) => ids.includes(one["id"] ?? null));
  }
  const back = `${parentType.name.charAt(0).toLowerCase()}${parentType.name.slice(1)}`;
  return all.filter((one) => one[back] === parent["id"]);
}

function idsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function rootRecord(
  world: DescribedWorld,
  file: PlatformFile,
  graphql: GraphqlFile,
  type: string,
  args: Readonly<Record<string, Json>>,
): StoredRecord {
  const { id } = args;
  if (id === undefined) {
    const viewer = lookupIn(world)(file.viewer["id"]);
    if (viewer?.["__typename"] === type) return viewer;
    const [only] = collection(world, graphql, type);
    if (only !== undefined) return only;
    throw missing(graphql, type);
  }
  const keys = ["id", ...(graphql.keys ?? [])];
  const found = collection(world, graphql, type).find((one) => keys.some((key) => one[key] === id));
  if (found === undefined) throw missing(graphql, type);
  return found;
}

/** A page, newest first where the order is by a time, as in most APIs. */
function page(
  all: readonly StoredRecord[],
  { filter, orderBy, term, ...args }: Readonly<Record<string, Json>>,
  graphql: GraphqlFile,
  info: Parameters<GraphQLFieldResolver<unknown, Context>>[3],
  world: DescribedWorld,
  parent: string,
) {
  const { first, last } = args as PageArguments;
  const size = first ?? last ?? graphql.page.default;
  if (size < 1 || size > graphql.page.max)
    throw invalid(graphql, `Argument Validation Error - first must be from 1 to ${graphql.page.max}`);
  const find = lookupIn(world);
  const words = typeof term === "string" ? term.toLowerCase() : "";
  const found = all.filter(
    (one) => fulfils(one, filter ?? null, find) && (words === "" || JSON.stringify(one).toLowerCase().includes(words)),
  );
  const key = typeof orderBy === "string" ? orderBy : "createdAt";
  const sorted = [...found].sort((a, b) => (String(a[key]) < String(b[key]) ? 1 : String(a[key]) > String(b[key]) ? -1 : 0));
  const own = { first: size, after: args["after"] ?? null, filter: filter ?? null, orderBy: key } as PageArguments;
  return connectionOf(sorted, own, info, { parent });
}
