import type { DocumentNode, GraphQLError, GraphQLFieldResolver, GraphQLSchema } from "graphql";
import type { Answer } from "../answer.ts";
import type { SelectedField } from "./document.ts";
import type { PlatformError } from "./platform-error.ts";
import type { ResolverContext, Tables } from "./resolver.ts";

/** What a GraphQL API is made of. */
export interface GraphqlApi<World, Viewer> {
  /** Below the server's address, such as `/graphql`. */
  readonly path: string;
  /** The published schema. It is read once, in the background of the start or by the first request. */
  readonly schema: () => GraphQLSchema;
  /** Resolvers by type and field; those of `*` belong to every type. They come before a record's own property. */
  readonly resolvers: Tables<World, Viewer>;
  /** Resolvers by interface and field, for what a record has no property of. */
  readonly shared: Tables<World, Viewer>;
  /** Resolves every field, in the place of the tables. */
  readonly resolve?: GraphQLFieldResolver<unknown, ResolverContext<World, Viewer>>;
  /** Refusals that need no data, such as page bounds and scopes of the credential. */
  readonly check: (fields: readonly SelectedField[], viewer: Viewer) => readonly PlatformError[];
  readonly cost: (fields: readonly SelectedField[]) => Cost;
  readonly refusals: GraphqlRefusals;
}

/** What a document takes off the quota, and how many records it may touch at most. */
export interface Cost {
  readonly nodes: number;
  readonly points: number;
}

/** The platform's words for what is wrong with a GraphQL request. */
export interface GraphqlRefusals {
  /** Another method than POST. */
  readonly method: Answer;
  /** The body is not a JSON object. */
  readonly body: Answer;
  readonly query: Answer;
  readonly variables: Answer;
  readonly syntax: (error: GraphQLError) => PlatformError;
  /** The document does not fit the schema. */
  readonly document: (error: GraphQLError, document: DocumentNode) => PlatformError;
  /** The document has several operations, and the request names none of them. */
  readonly operation: PlatformError;
  readonly variable: (wrong: WrongVariable) => PlatformError;
  readonly cursor: (cursor: string) => PlatformError;
  /** An error that a resolver threw. Without this, it has a `type` beside its message. */
  readonly thrown?: (error: GraphQLError) => PlatformError;
}

export interface WrongVariable {
  readonly name: string;
  /** As the document declares it, such as `Int!`. */
  readonly type: string;
  readonly value: unknown;
  readonly error: GraphQLError;
}
