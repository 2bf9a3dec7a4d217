import { type ErrorCode, errorCodes } from "../base/error-codes.ts";

/** The platform did not show all records, so that nothing could be removed. */
export const partialResults = "partial_results";
/** So many records were missing that none was removed, because the cause may be a failure of the platform. */
export const massDeleteRefused = "mass_delete_refused";

/** Why a sync run failed or is incomplete. */
export type SyncProblem = ErrorCode | typeof partialResults | typeof massDeleteRefused;

/** Problems that say nothing about what was read: the sync run was ended from outside, and the next one goes on with it. */
export const cutOffProblems: readonly SyncProblem[] = ["shutting_down", "store_unusable", "database_unavailable"];

/** Reads a stored problem. One that this version does not know, because another version wrote it, counts as `internal`. */
export function readProblem(text: string): SyncProblem {
  if (text === partialResults || text === massDeleteRefused) return text;
  return Object.hasOwn(errorCodes, text) ? (text as ErrorCode) : "internal";
}
