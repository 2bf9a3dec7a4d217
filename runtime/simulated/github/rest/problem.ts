import { json, Refused } from "../../../simulator/answer.ts";
import { docs, refuse } from "../refuse.ts";

/** One entry of a refused write's `errors`. */
export interface FieldProblem {
  readonly resource: "Issue" | "IssueComment" | "PullRequest" | "Hook" | "Release" | "Gist" | "Search";
  readonly code: "missing" | "missing_field" | "invalid" | "custom" | "unprocessable" | "already_exists";
  readonly field?: string;
  readonly message?: string;
  readonly value?: string | number | null;
}

export function refuseWrite(status: number, message: string, documentation = docs): Refused {
  return new Refused(refuse(status, message, documentation));
}

export function invalid(...errors: readonly FieldProblem[]): Refused {
  const message = "Validation Failed";
  return new Refused(json(422, { message, errors, documentation_url: `${docs}/issues/issues`, status: "422" }));
}
