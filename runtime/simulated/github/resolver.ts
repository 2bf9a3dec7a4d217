import type {
  Resolver as AnyResolver,
  Fields as FieldsOf,
  ResolverContext,
  Tables as TablesOf,
} from "../../simulator/graphql/resolver.ts";
import type { Viewer } from "./access.ts";
import type { World } from "./world/world.ts";

// The machine's types for GitHub's data.

export type Context = ResolverContext<World, Viewer>;
export type Resolver<Source, Arguments = Readonly<Record<string, unknown>>> = AnyResolver<World, Viewer, Source, Arguments>;
export type Fields = FieldsOf<World, Viewer>;
export type Tables = TablesOf<World, Viewer>;
