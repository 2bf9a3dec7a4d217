import { type ErrorCode, errorCodes, isErrorCode } from "../base/error-codes.ts";
import type { TenonError } from "../base/errors.ts";

/** Why a sync run did not end well: an error, or one of two reasons for which it removed nothing. */
export type ProblemCode = ErrorCode | "partial_results" | "mass_delete_refused";

/** A problem as people and programs read it. */
export interface ProblemReport {
  readonly code: ProblemCode;
  /** Sentences that say what happened and what to do. */
  readonly message: string;
}

const goesOn = "The next sync continues where this one stopped.";

/** What happened and what to do, where a sync can say more than the table of error codes. */
const texts = {
  partial_results: {
    happened: "The platform did not show everything, so nothing was removed.",
    advice: "The next sync reads these records again.",
  },
  mass_delete_refused: {
    happened: "More than half of the records would have been removed, so none was.",
    advice: "Look at the platform. If these records are really gone, run `tenon sync` with --allow-mass-delete.",
  },
  not_found: {
    happened: "The platform found nothing for this scope. Nothing was removed.",
    advice: `Check that the scope is still there and that the token may see it. If it was deleted, \`tenon sync\` with --forget removes its records. ${goesOn} With --full, it reads everything again.`,
  },
  platform_unauthorized: {
    happened: "The platform refused the token.",
    advice: `Configure a token that is valid. ${goesOn}`,
  },
  platform_forbidden: {
    happened: "The token may not read this.",
    advice: `Give it the permission, or sync only other entities (--entity). ${goesOn}`,
  },
  platform_failed: { happened: "The platform failed.", advice: goesOn },
  unexpected_response: {
    happened: "The platform's response does not fit the spec.",
    advice: "Another sync does not help until the spec, or the platform, has been corrected.",
  },
  deadline_exceeded: { happened: "The platform was too slow.", advice: goesOn },
  rate_limited: { happened: "The platform's rate limit is used up.", advice: `Wait until it allows calls again. ${goesOn}` },
  sync_running: { happened: "Another process has taken over this sync.", advice: "Wait until that one has ended." },
  shutting_down: { happened: "The sync was stopped.", advice: goesOn },
} as const satisfies Partial<Record<ProblemCode, { readonly happened: string; readonly advice: string }>>;

/** @param code of a state in the store; another version of the program may have written one that this version does not know */
export function storedProblem(code: string): ProblemReport {
  if (hasText(code)) return { code, message: `${texts[code].happened} ${texts[code].advice}` };
  const known = isErrorCode(code) ? code : "internal";
  return { code: known, message: `${errorCodes[known].title}. ${errorCodes[known].advice}` };
}

/** The problem of a sync run that failed: the error's own message, and what to do. */
export function failure({ code, message }: TenonError): ProblemReport {
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return { code, message: `${sentence} ${hasText(code) ? texts[code].advice : errorCodes[code].advice}` };
}

function hasText(code: string): code is keyof typeof texts {
  return Object.hasOwn(texts, code);
}
