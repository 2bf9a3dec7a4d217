import type { GraphQLFieldResolver, GraphQLObjectType, GraphQLResolveInfo, GraphQLTypeResolver } from "graphql";
import type { Budget } from "../rate-limit.ts";
import { DataGap } from "./refusal.ts";

/** What a resolver is given besides the record whose field it reads. */
export interface ResolverContext<World, Viewer> {
  readonly world: World;
  readonly viewer: Viewer;
  /** Address of the platform's web pages. */
  readonly web: string;
  readonly budget: () => Budget;
  readonly cost: { readonly points: number; readonly nodes: number };
}

export type Resolver<World, Viewer, Source, Arguments = Readonly<Record<string, unknown>>> = (
  source: Source,
  args: Arguments,
  context: ResolverContext<World, Viewer>,
  info: GraphQLResolveInfo,
) => unknown;

/** Resolvers of one type. `never` lets resolvers of different records stand in one table; each is called with its own records only. */
export type Fields<World, Viewer> = Readonly<Record<string, Resolver<World, Viewer, never, never>>>;
export type Tables<World, Viewer> = Readonly<Record<string, Fields<World, Viewer>>>;

/**
 * Finds the value of a field. It is looked for in this order: a resolver of the type, of every type (`*`) or of an interface of the
 * type; a property of the record; a shared resolver of an interface. Without any of them the document fails with a `DataGap`.
 */
export function fieldResolver<World, Viewer>(
  tables: Tables<World, Viewer>,
  shared: Tables<World, Viewer>,
): GraphQLFieldResolver<unknown, ResolverContext<World, Viewer>> {
  const plans = new Map<GraphQLObjectType, Map<string, Resolver<World, Viewer, never, never>>>();
  const plansOf = (type: GraphQLObjectType) => {
    const made = new Map<string, Resolver<World, Viewer, never, never>>();
    plans.set(type, made);
    return made;
  };
  return (source, args, context, info) => {
    const { parentType, fieldName } = info;
    const known = plans.get(parentType) ?? plansOf(parentType);
    let plan = known.get(fieldName);
    if (plan === undefined) {
      plan = planField(tables, shared, parentType, fieldName);
      known.set(fieldName, plan);
    }
    return plan(source as never, args as never, context, info);
  };
}

function planField<World, Viewer>(
  tables: Tables<World, Viewer>,
  shared: Tables<World, Viewer>,
  type: GraphQLObjectType,
  field: string,
): Resolver<World, Viewer, never, never> {
  const parents = type.getInterfaces().map((parent) => parent.name);
  const own = first(tables, [type.name, "*", ...parents], field);
  if (own !== undefined) return own;
  const general = first(shared, parents, field);
  return (source: unknown, args, context, info) => {
    if (typeof source === "object" && source !== null && Object.hasOwn(source, field)) {
      const value: unknown = Reflect.get(source, field);
      if (value !== undefined) return value;
    }
    if (general === undefined) throw new DataGap(type.name, field);
    return general(source as never, args, context, info);
  };
}

function first<World, Viewer>(
  tables: Tables<World, Viewer>,
  names: readonly string[],
  field: string,
): Resolver<World, Viewer, never, never> | undefined {
  for (const name of names) {
    const fields = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (fields !== undefined && Object.hasOwn(fields, field)) return fields[field];
  }
  return undefined;
}

/** The type of a record is its property `__typename`. */
export const typeResolver: GraphQLTypeResolver<unknown, unknown> = (value) => {
  if (typeof value === "object" && value !== null && "__typename" in value && typeof value.__typename === "string")
    return value.__typename;
  throw new Error("a record of the simulated platform does not say its type");
};
