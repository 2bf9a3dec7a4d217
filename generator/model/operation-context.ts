import type { GraphQLSchema } from "graphql";
import type { Diagnostics, Position } from "../diagnostic.ts";
import type { EnumModel, ParamModel, TypeModel } from "./types.ts";

/** What is written before the author's selection, to make an operation of it. */
export function operationStart(name: string): string {
  return `query ${name} {`;
}

export interface OperationContext {
  readonly schema: GraphQLSchema;
  readonly at: (...keys: string[]) => Position;
  /** Position of a character of the operation's text; of the key `graphql` without one. */
  readonly word: (start: number | undefined) => Position;
  readonly diagnostics: Diagnostics;
  /** Name of the operation in the document: `IssuesList`. */
  readonly operationName: string;
  readonly params: readonly ParamModel[];
  readonly record: TypeModel;
  readonly enumOf: (name: string) => EnumModel | undefined;
}
