import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/** A fault that is planted into a file when it is loaded, to see that the simulation finds it. */
export interface PlantedFault {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Faults that break what the simulation checks, each in another way. */
export const plantedFaults: Readonly<Record<string, PlantedFault>> = {
  "a write after its lease is lost": {
    file: "runtime/store/works/ledger.ts",
    from: "if (fencingToken === undefined) return;",
    to: "return;",
  },
  "a lease that two have": {
    file: "runtime/store/lease.ts",
    from: "return held.every((one) => mayTakeLease(one, owner, now));",
    to: "return true;",
  },
  "records that are gone stay": {
    file: "runtime/store/works/sync-runs.ts",
    from: "const gone = yield* awaited(memberships.unseen());",
    to: "const gone = (yield* awaited(memberships.unseen())).slice(0, 0);",
  },
  "a change check that never sees a change": {
    file: "runtime/sync/sync-run.ts",
    from: "&& notes.changeCheck === changeCheck",
    to: "",
  },
  "children that are read only once": {
    file: "runtime/sync/children.ts",
    from: "before !== null && before === now",
    to: "before !== null",
  },
  "removed records that the change log leaves out": {
    file: "runtime/store/works/change-log.ts",
    from: "for (const kind of changeKinds) {",
    to: 'for (const kind of changeKinds.filter((one) => one !== "deleted")) {',
  },
  "a webhook that is acknowledged and not stored": {
    file: "runtime/webhooks/inbox.ts",
    from: "for (const { failed } of batch) failed(thrown);",
    to: "for (const { stored } of batch) stored(true);",
  },
  "a hint that is dropped when it cannot be followed": {
    file: "runtime/webhooks/hint-worker.ts",
    from: "await hints.postponeHints(same, Date.now() + Math.min(longestRetry, firstRetry * 2 ** tries), true);",
    to: "await hints.endHints(same);",
  },
  "a hint that ends although it came again": {
    file: "runtime/accounts/works/hints.ts",
    from: "AND version = $",
    to: "AND version <= 1000 + $",
  },
  "changes of a record that go out at the same time": {
    file: "runtime/subscriptions/deliveries.ts",
    from: "Map.groupBy(deliveries, ({ record }) => record)",
    to: "Map.groupBy(deliveries, ({ sequence }) => sequence)",
  },
  "a subscription that goes on behind a failure": {
    file: "runtime/subscriptions/turn.ts",
    from: "const reached = done.firstLeft ?? wanted",
    to: "const reached = wanted",
  },
  "lost changes that are not reported": {
    file: "runtime/subscriptions/turn.ts",
    from: "const wanted = meta.truncated ? [gap] : changes;",
    to: "const wanted = changes;",
  },
  "a write that does not wait for the first one": {
    file: "runtime/accounts/idempotent-write.ts",
    from: "if (known === undefined) break;",
    to: 'if (known?.state !== "done") break;',
  },
  "a write that is sent again after a lost response": {
    file: "runtime/platform/client.ts",
    from: 'if (effect !== "once") return;',
    to: 'if (effect !== "keyed") return;',
  },
  "a write in doubt that counts as not done": {
    file: "runtime/policy/write-once.ts",
    from: '? "in_doubt" : "nothing"',
    to: '? "nothing" : "nothing"',
  },
  "limits that forget what was used": {
    file: "runtime/fleet/share.ts",
    from: "spent[name] = (spent[name] ?? 0) + amount;",
    to: "spent[name] = 0;",
  },
};

/** Plants a fault into the modules that are loaded from now on. */
export function plant(name: string): void {
  const fault = plantedFaults[name];
  if (fault === undefined) throw new Error(`There is no planted fault ${name}: ${Object.keys(plantedFaults).join(", ")}`);
  registerHooks({
    load: (url, context, next) => {
      const loaded = next(url, context);
      if (!url.startsWith("file:") || !url.endsWith(fault.file)) return loaded;
      const text = readFileSync(fileURLToPath(url), "utf8");
      if (text.split(fault.from).length !== 2) throw new Error(`${fault.file} does not have once: ${fault.from}`);
      return { ...loaded, source: text.replace(fault.from, () => fault.to) };
    },
  });
}
