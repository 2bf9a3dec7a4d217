import type { SourcePosition } from "../diagnostic/diagnostic.ts";
import type { AnswerContext } from "./rest-answer.ts";
import type { ParamModel, TypeModel } from "./types.ts";

/** What is needed to build and check one REST operation. */
export interface RestContext extends AnswerContext {
  /** Position of a key inside the action. */
  readonly at: (...keys: string[]) => SourcePosition;
  readonly params: readonly ParamModel[];
  /** Names under which parameters would be sent that have faults of their own. */
  readonly wrong: readonly string[];
  readonly returns: TypeModel;
  /** The calls that have a limit of their own. */
  readonly limits: readonly string[];
}
