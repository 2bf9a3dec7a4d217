import type { NamedAuditEntry } from "../../main/accounts.ts";

/** Values of which an entry must have one, for each list that is not empty. */
export interface AuditFilter {
  /** Ids or names. */
  readonly caller: readonly string[];
  /** Whole names such as `issues.create`, or what they have in front, such as `issues` or `key`. */
  readonly action: readonly string[];
  /** Ids, or names of keys and clients. */
  readonly target: readonly string[];
  /** `done`, `begun`, codes of errors, or `failed` for all of these. */
  readonly outcome: readonly string[];
}

type Entry = Pick<NamedAuditEntry, "caller" | "action" | "target" | "outcome"> & {
  readonly by: { readonly name: string } | undefined;
  readonly on: { readonly name: string } | undefined;
};

export function fitsAudit(entry: Entry, filter: AuditFilter): boolean {
  const hasFailed = entry.outcome !== "done" && entry.outcome !== "begun";
  const values: Readonly<Record<keyof AuditFilter, readonly (string | null | undefined)[]>> = {
    caller: [entry.caller, entry.by?.name],
    action: [entry.action, entry.action.slice(0, entry.action.lastIndexOf("."))],
    target: [entry.target, entry.on?.name],
    outcome: [entry.outcome, hasFailed ? "failed" : undefined],
  };
  return (Object.keys(values) as (keyof AuditFilter)[]).every(
    (name) => filter[name].length === 0 || filter[name].some((wanted) => values[name].includes(wanted)),
  );
}
