import type { GraphQLSchema } from "graphql";
import type { Diagnostics, Position } from "../diagnostic.ts";
import type { EnumModel, ParamModel, TypeModel } from "./types.ts";

export interface OperationContext {
  readonly schema: GraphQLSchema;
  readonly at: (...keys: string[]) => Position;
  readonly diagnostics: Diagnostics;
  /** Name of the operation in the document: `IssuesList`. */
  readonly operationName: string;
  readonly params: readonly ParamModel[];
  readonly record: TypeModel;
  readonly enumOf: (name: string) => EnumModel | undefined;
}
