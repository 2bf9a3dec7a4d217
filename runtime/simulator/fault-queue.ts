import type { Api, Fault } from "./fault.ts";

/** Faults in the order they were queued. */
export interface FaultQueue<Viewer> {
  add(fault: Fault<Viewer>): void;
  /** The first fault that fits the request; it counts as having struck it. */
  take(api: Api, fits: (fault: Fault<Viewer>) => boolean): Fault<Viewer> | undefined;
  has(fits: (fault: Fault<Viewer>) => boolean): boolean;
  clear(): void;
}

export function createFaultQueue<Viewer>(): FaultQueue<Viewer> {
  let queued: { readonly fault: Fault<Viewer>; left: number; skip: number }[] = [];
  return {
    add(fault) {
      queued.push({ fault, left: fault.times ?? 1, skip: fault.skip ?? 0 });
    },
    take(api, fits) {
      for (const entry of queued) {
        const { fault } = entry;
        const on = fault.on ?? "any";
        if ((on !== "any" && on !== api) || !fits(fault)) continue;
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
