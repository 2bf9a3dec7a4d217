import { TenonError } from "../base/errors.ts";
import type { CallContext } from "./call.ts";
import type { FailureJudge, Verdict } from "./failure.ts";
import { lostBecause, type Received } from "./received.ts";

/** Judges the outcome of a call that is no usable answer. @param title of the platform */
export function verdictOf(received: Received, judge: FailureJudge, title: string, { signal, deadline }: CallContext): Verdict {
  const now = Date.now();
  switch (received.kind) {
    case "graphql":
      return judge.faults(received.faults, received.headers, now);
    case "refused":
      return judge.refusal(received, now);
    case "too-large": {
      const message = `${title} sent a response of more than ${received.limit}. Ask for fewer fields or a smaller page.`;
      return { kind: "heavy", error: new TenonError("platform_too_complex", message) };
    }
    case "rest":
      // A redirect may mean that the call was done, as 303 does.
      return { kind: "transient", message: `${title} responded with ${received.status}.` };
    case "lost":
      if (signal.aborted || performance.now() >= deadline) return { kind: "transient", message: "The deadline passed." };
      return { kind: "transient", message: lostBecause(received.cause, title) };
  }
}

/** Whether the platform refused the credential itself. */
export function isCredentialRefused(received: Received, judge: FailureJudge): boolean {
  if (received.kind !== "refused" && received.kind !== "graphql") return false;
  if (received.kind === "graphql" && (received.faults.length === 0 || hasData(received.data))) return false;
  const now = Date.now();
  const { faults, headers } = received;
  const verdict = received.kind === "refused" ? judge.refusal(received, now) : judge.faults(faults, headers, now);
  return verdict.kind === "final" && verdict.error.code === "platform_unauthorized";
}

/** Whether a GraphQL response has any part of the requested data. */
export function hasData(data: unknown): boolean {
  return typeof data === "object" && data !== null && Object.values(data).some((value) => value !== null);
}
