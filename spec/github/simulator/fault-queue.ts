import type { Fault } from "./fault.ts";

export type RequestKind = "graphql" | "rest";

/** Faults in the order they were queued. */
export interface FaultQueue {
  add(fault: Fault): void;
  /** The first fault that fits the request and counts as having struck it. */
  take(kind: RequestKind, fits: (fault: Fault) => boolean): Fault | undefined;
  has(fits: (fault: Fault) => boolean): boolean;
  clear(): void;
}

const graphqlOnly: ReadonlySet<Fault["kind"]> = new Set([
  "page-too-large",
  "null-nodes",
  "all-nodes-null",
  "field-error",
  "graphql-error",
]);

export function createFaultQueue(): FaultQueue {
  let queued: { readonly fault: Fault; left: number; skip: number }[] = [];
  return {
    add(fault) {
      queued.push({ fault, left: fault.times ?? 1, skip: fault.skip ?? 0 });
    },
    take(kind, fits) {
      for (const entry of queued) {
        const { fault } = entry;
        const on = fault.on ?? "any";
        if ((on !== "any" && on !== kind) || (kind === "rest" && graphqlOnly.has(fault.kind)) || !fits(fault)) continue;
        if (entry.skip > 0) {
          entry.skip--;
          continue;
        }
        entry.left--;
        queued = queued.filter((one) => one.left > 0);
        return fault;
      }
      return undefined;
    },
    has: (fits) => queued.some((entry) => fits(entry.fault)),
    clear() {
      queued = [];
    },
  };
}
