import { writeSync } from "node:fs";
import { TenonError } from "../../runtime/base/errors.ts";
import { openDatabase } from "../../runtime/postgres/index.ts";
import { newLeaseOwner } from "../../runtime/store/lease.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import type { Line, Operation } from "./history.ts";
import { plans, registersOf } from "./records.ts";

// A worker of a history: takes the lease, writes records as fast as it can, and prints what it begins and what was acknowledged, until it
// is killed. It does not renew its lease, so that whoever waits gets it while this process is suspended.

const [, , url = "", name = "", instance = "", count = "4"] = process.argv;
const collection = registersOf(instance);
const leaseTime = 1;
const store = new PostgresStore({ database: openDatabase(url, { connections: 2 }), plans });
const owner = newLeaseOwner();
const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
let last = 0;

function tell(id: number, type: Line["type"], operation: Operation): void {
  writeSync(1, `${JSON.stringify({ process: name, at: Number(process.hrtime.bigint()), id, type, operation } satisfies Line)}\n`);
}

/** Writes down an operation. @returns what it gave; undefined where it failed */
async function noted<Result>(
  operation: Operation,
  act: () => Promise<Result>,
  done: (result: Result) => Operation,
): Promise<Result | undefined> {
  const id = ++last;
  tell(id, "begin", operation);
  try {
    const result = await act();
    tell(id, "done", done(result));
    return result;
  } catch (thrown) {
    if (!(thrown instanceof TenonError)) throw thrown;
    tell(id, thrown.code === "sync_running" ? "refused" : "lost", operation);
    return undefined;
  }
}

for (;;) {
  const token = await noted(
    { kind: "lease" },
    () => store.lease(collection, owner, leaseTime),
    (given) => ({ kind: "lease", ...(given === null ? {} : { token: given }) }),
  );
  if (token === undefined || token === null) {
    await moment(100);
    continue;
  }
  const [state] = await store.states(collection).catch(() => []);
  const checkpoint = { run: (state?.run ?? 0) + 1, full: true, step: 0 };
  for (let isGood = true; isGood; ) {
    const key = `K${last % Number(count)}`;
    const value = `${name} ${last}`;
    const write = { kind: "write", key, value, token } as const;
    const page = { records: [{ id: key, value }], checkpoint };
    const saved = await noted(
      write,
      () => store.save({ ...collection, fencingToken: token }, page),
      () => write,
    );
    isGood = saved !== undefined;
    await moment(5);
  }
}
