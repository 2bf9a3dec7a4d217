import type { GraphQLFieldResolver, GraphQLObjectType, GraphQLResolveInfo, GraphQLTypeResolver } from "graphql";
import type { Budget } from "../rate-limit.ts";
import { DataGap } from "./refusal.ts";

/** What a resolver knows beside its record. */
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

/** Resolvers of one type. `never` makes a table of resolvers with different sources; each is called with its own. */
export type Fields<World, Viewer> = Readonly<Record<string, Resolver<World, Viewer, never, never>>>;
export type Tables<World, Viewer> = Readonly<Record<string, Fields<World, Viewer>>>;

/**
 * Finds a field's value: the tables (of the type, of every type, of its interfaces), then the record, then what the interfaces
 * have in general; else a loud error.
 */
export function fieldResolver<World, Viewer>(
  tables: Tables<World, Viewer>,
  shared: Tables<World, Viewer>,
): GraphQLFieldResolver<unknown, ResolverContext<World, Viewer>> {
  const plans = new Map<string, Resolver<World, Viewer, never, never>>();
  return (source, args, context, info) => {
    const name = `${info.parentType.name}.${info.fieldName}`;
    let plan = plans.get(name);
    if (plan === undefined) {
      plan = planField(tables, shared, info.parentType, info.fieldName);
      plans.set(name, plan);
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

/** Records say themselves what they are. */
export const typeResolver: GraphQLTypeResolver<unknown, unknown> = (value) => {
  if (typeof value === "object" && value !== null && "__typename" in value && typeof value.__typename === "string")
    return value.__typename;
  throw new Error("a record of the simulated platform does not say its type");
};
