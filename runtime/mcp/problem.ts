import { asTenonError } from "../base/errors.ts";
import { visibleText } from "../base/visible-text.ts";
import { nextStep } from "./advice.ts";
import { fitted, responseBytes } from "./budget.ts";
import { eachText } from "./clean.ts";
import type { ToolHost } from "./host.ts";
import type { ToolResult } from "./result.ts";
import type { Arguments } from "./target.ts";

/** The most bytes of a proposal: its caller has sent what is cut of it. */
const proposalBytes = responseBytes / 4;

/** The result for an error of a tool: what is wrong, and what to do. */
export function problemResult(
  tool: string,
  { redact = (text) => text }: Pick<ToolHost, "redact">,
  args: Arguments,
  thrown: unknown,
): ToolResult {
  const error = asTenonError(thrown);
  const { code, message, retryable, retryAfter, faults, proposal } = error;
  const problem = {
    error: { code, message, retryable, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }), errors: faults },
    ...(proposal === undefined ? {} : { proposal: fitted({ data: proposal, meta: {} }, { most: proposalBytes }).response.data }),
    what_to_do: nextStep(tool, args, error),
  };
  const content = eachText(problem, (text) => redact(visibleText(text))) as Record<string, unknown>;
  return { text: JSON.stringify(content), content: () => content, isError: true };
}
