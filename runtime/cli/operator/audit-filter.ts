import { errorCodes } from "../../base/error-codes.ts";
import { nearest } from "../../base/text.ts";
import { stopReasons } from "../../contract/index.ts";
import type { NamedAuditEntry } from "../../main/accounts.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";

/** Values of which an entry must have one, for each list that is not empty. */
export interface AuditFilter {
  /** Ids or names. */
  readonly caller: readonly string[];
  /** Whole names such as `issues.create`, or what they have in front, such as `issues` or `key`. */
  readonly action: readonly string[];
  /** Ids, or names of keys and clients. */
  readonly target: readonly string[];
  /** `done`, `replayed`, `begun`, codes and reasons of failures, or `failed` for all of these. */
  readonly outcome: readonly string[];
}

type Entry = Pick<NamedAuditEntry, "caller" | "action" | "target" | "outcome"> & {
  readonly by: { readonly name: string } | undefined;
  readonly on: { readonly name: string } | undefined;
};

/** Outcomes beside codes of errors and reasons to stop a subscription. `unknown`: the caller went before the response. */
const plainOutcomes = ["done", "failed", "replayed", "begun", "unknown"];

/** Refuses an outcome that no entry has. @throws CommandError */
export function checkOutcomes(given: AuditFilter["outcome"]): void {
  const allowed = [...plainOutcomes, ...stopReasons, ...Object.keys(errorCodes)];
  const wrong = given.find((one) => !allowed.includes(one));
  if (wrong === undefined) return;
  const near = nearest(wrong, allowed);
  const hint = near === undefined ? `use ${plainOutcomes.join(", ")} or the code of an error` : `did you mean "${near}"?`;
  throw new CommandError(`--outcome "${wrong}" is not an outcome; ${hint}`, exitStatus.usage);
}

/** The values by which an entry is found. */
function valuesOf(entry: Entry): Readonly<Record<keyof AuditFilter, readonly (string | null | undefined)[]>> {
  const hasFailed = !["done", "replayed", "begun"].includes(entry.outcome);
  return {
    caller: [entry.caller, entry.by?.name],
    action: [entry.action, entry.action.slice(0, entry.action.lastIndexOf("."))],
    target: [entry.target, entry.on?.name],
    outcome: [entry.outcome, hasFailed ? "failed" : undefined],
  };
}

/** Collects the callers, actions and targets of all entries, so that a misspelled name does not look like one that did nothing. */
export class SeenValues {
  readonly #seen = new Map(["caller", "action", "target"].map((name) => [name, new Set<string>()]));

  of(entry: Entry): void {
    for (const [name, values] of Object.entries(valuesOf(entry)))
      for (const value of values) if (value) this.#seen.get(name)?.add(value);
  }

  /** A line for each value of the filter that no entry has. */
  missing(filter: AuditFilter): string[] {
    return [...this.#seen].flatMap(([name, seen]) =>
      filter[name as keyof AuditFilter].flatMap((wanted) => {
        if (seen.has(wanted)) return [];
        const near = nearest(wanted, [...seen]);
        const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
        return [`This part of the log has no --${name} "${wanted}".${hint}`];
      }),
    );
  }
}

export function fitsAudit(entry: Entry, filter: AuditFilter): boolean {
  const values = valuesOf(entry);
  return (Object.keys(values) as (keyof AuditFilter)[]).every(
    (name) => filter[name].length === 0 || filter[name].some((wanted) => values[name].includes(wanted)),
  );
}
