import { writeSync } from "node:fs";
import { TenonError } from "../../../runtime/base/errors.ts";
import { openDatabase } from "../../../runtime/postgres/index.ts";
import { newLeaseOwner } from "../../../runtime/store/lease.ts";
import { PostgresStore } from "../../../runtime/store/postgres/postgres-store.ts";
import { chaosCollection, chaosPlans, doStep, nextStep } from "./chaos-records.ts";

// A sync worker that takes the lease, writes records as fast as it can, and prints each step that was acknowledged, until it is killed,
// told to stop, or replaced by another one. It goes on from what is stored, as a sync does.

/** Seconds. Nobody renews it, so that whoever waits for it gets it when this process is paused. */
const leaseTime = 1;
/** Stops itself once it has done so many steps, between two of them; 0 for never. */
const pauseAfter = Number(process.argv[3] ?? 0);
const store = new PostgresStore({
  database: openDatabase(process.argv[2] ?? "", { connections: 2 }),
  plans: chaosPlans,
});
const owner = newLeaseOwner();
const tell = (line: object) => void writeSync(1, `${JSON.stringify(line)}\n`);
const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let stopping = false;
process.stdin.once("data", () => {
  stopping = true;
});

let fencingToken: number | null = null;
let done = 0;
for (;;) {
  try {
    if (fencingToken === null) {
      fencingToken = await store.lease(chaosCollection, owner, leaseTime);
      if (fencingToken === null) await moment(50);
      else tell({ fencingToken });
      continue;
    }
    const step = await nextStep(store);
    if (stopping && step.entity === "things" && step.page === 0) {
      tell({ complete: step.run - 1 });
      break;
    }
    await doStep(store, step, fencingToken);
    tell({ done: step });
    if (++done === pauseAfter) process.kill(process.pid, "SIGSTOP");
  } catch (thrown) {
    if (!(thrown instanceof TenonError)) throw thrown;
    const { code, retryAfter } = thrown;
    tell({ failed: { code, retryAfter } });
    if (code === "sync_running") break;
    await moment(20);
  }
}
process.exit();
