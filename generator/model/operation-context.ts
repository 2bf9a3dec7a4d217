import type { GraphQLSchema } from "graphql";
import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { CheckContext } from "./documents.ts";
import type { EnumModel, ParamModel, TypeModel } from "./types.ts";

/** Text that stands before the author's selection to make it an operation. */
export function operationStart(name: string, writes: boolean): string {
  return `${writes ? "mutation" : "query"} ${name} {`;
}

/** Gives the position of a key inside the action. */
export type PositionOf = (...keys: string[]) => SourcePosition;

/** What is needed to build and check one GraphQL operation. */
export interface OperationContext {
  readonly schema: GraphQLSchema;
  readonly checks: CheckContext;
  /** What the spec says of the platform's own scalars. */
  readonly scalars: Readonly<Record<string, string>>;
  /** The operation is a mutation. */
  readonly writes: boolean;
  readonly at: PositionOf;
  /** Position of a character of the operation's text; without a number, of the key `graphql`. */
  readonly wordAt: (start: number | undefined) => SourcePosition;
  readonly diagnostics: Diagnostics;
  /** Name of the operation in the document: `IssuesList`. */
  readonly operationName: string;
  readonly params: readonly ParamModel[];
  /** Names under which parameters would be sent that have faults of their own. */
  readonly wrong: readonly string[];
  readonly record: TypeModel;
  readonly enumOf: (name: string) => EnumModel | undefined;
}
