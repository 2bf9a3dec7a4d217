import { type Answer, docs, json } from "../answer.ts";

/** One entry of a refused write's `errors`. */
export interface FieldProblem {
  readonly resource: "Issue" | "IssueComment" | "PullRequest";
  readonly code: "missing_field" | "invalid" | "custom" | "unprocessable";
  readonly field?: string;
  readonly message?: string;
  readonly value?: string | number | null;
}

/** Thrown where a write cannot go on; the router answers it. */
export class Refused extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.name = "Refused";
    this.answer = answer;
  }
}

export function refuseWrite(status: number, message: string, documentation = docs): Refused {
  return new Refused(json(status, { message, documentation_url: documentation, status: String(status) }));
}

export function invalid(...errors: readonly FieldProblem[]): Refused {
  const message = "Validation Failed";
  return new Refused(json(422, { message, errors, documentation_url: `${docs}/issues/issues`, status: "422" }));
}
