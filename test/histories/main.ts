import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createRandom, type Random } from "../../runtime/simulated/github/seed/random.ts";
import type { Issue } from "../../runtime/simulated/github/world/issue.ts";
import { raw } from "../../runtime/sql/index.ts";
import { addIssue, later, newest } from "../e2e/support/change.ts";
import { hello } from "../e2e/support/world.ts";
import { ended, type Fleet, type Process, type Reply, startFleet } from "./fleet.ts";
import { check, falsified, type Line, type Operation } from "./history.ts";
import { lastNoted, readWitness } from "./witness.ts";

// `make histories`: writes down what two services and three workers do on a PostgreSQL server while processes are killed and suspended and
// connections are cut, and checks each history. People change issues on the platform, webhooks tell of it, workers sync, clients read the
// cached issues from the services and create others with idempotency keys. SEED is the first history, COUNT how many there are, LENGTH
// how many seconds each takes. IMPORT is a module that every process loads first, to plant a fault.

const { SEED = "1", COUNT = "200", LENGTH = "6", IMPORT } = process.env;
/** So many histories share their processes: the limits of the platform allow 500 writes an hour. */
const ofFleet = 40;
const registers = 4;
const creations = 4;

const now = () => Number(process.hrtime.bigint());

class History {
  readonly lines: Line[] = [];
  readonly #counts = new Map<string, number>();

  /** Writes down an operation. @param act gives what was done; undefined where that is unknown */
  async note<Given extends Operation>(
    client: string,
    operation: Given,
    act: () => Promise<Given | undefined>,
  ): Promise<Given | undefined> {
    const id = (this.#counts.get(client) ?? 0) + 1;
    this.#counts.set(client, id);
    const line = { process: client, id };
    this.lines.push({ ...line, at: now(), type: "begin", operation });
    const done = await act();
    this.lines.push({ ...line, at: now(), type: done === undefined ? "lost" : "done", operation: done ?? operation });
    return done;
  }
}

/** Kills, suspends and cuts, one after the other. @returns how often */
async function breakThings({ place, services, workers }: Fleet, random: Random, until: number): Promise<number> {
  const suspended = async ({ child }: Process, ms: number, meanwhile?: () => Promise<unknown>) => {
    child.kill("SIGSTOP");
    await pause(ms / 2);
    await meanwhile?.();
    await pause(ms / 2);
    child.kill("SIGCONT");
  };
  const restarted = async (one: Process) => {
    await ended(one.child);
    one.again();
  };
  /** The leases of all run out, as if the process had been suspended for minutes. */
  const expire = () => place.direct.alone(raw("UPDATE store_leases SET until = 0")).catch(() => undefined);
  let times = 0;
  let restarts = 1;
  for (; performance.now() < until; times++) {
    await pause(300 + random.below(700));
    const what = random.below(14);
    if (what < 3) await restarted(random.pick(workers));
    else if (what < 8) await suspended(random.pick(workers), 200 + random.below(1_200), expire);
    else if (what < 9 && restarts-- > 0) await restarted(random.pick(services));
    else if (what < 10) await suspended(random.pick(services), 200 + random.below(1_000));
    else if (what < 11) place.proxy.cut();
    else if (what < 12) void place.proxy.cutAtCommit("before");
    else if (what < 13) void place.proxy.cutAtCommit("after");
    else await place.cluster.stop("immediate").then(() => place.cluster.start());
  }
  return times;
}

/** The data of a response; undefined where there is none. */
function dataOf<Data>(reply: Reply): Data | undefined {
  return reply?.status === 200 ? (JSON.parse(reply.text) as { readonly data: Data }).data : undefined;
}

/** Sends one write with its key from a client until it has a response. */
async function createOnce(fleet: Fleet, history: History, client: string, key: string, random: Random, until: number) {
  while (performance.now() < until) {
    const service = random.pick(fleet.services);
    const reply = await history.note<Operation & { kind: "create" }>(client, { kind: "create", key }, async () => {
      const params = { owner: "octocat", repo: "hello-world", title: key };
      const data = dataOf<{ number: number }>(await service.execute("issues", "create", params, { "idempotency-key": key }));
      return data === undefined ? undefined : { kind: "create", key, number: data.number };
    });
    if (reply !== undefined) return;
    await pause(100 + random.below(400));
  }
}

/** Reads one cached issue. */
function read(fleet: Fleet, history: History, client: string, key: string, random: Random) {
  return history.note<Operation & { kind: "read" }>(client, { kind: "read", key }, async () => {
    const params = { query: { filter: { eq: { id: key } } }, fields: ["title"], limit: 1 };
    const found = dataOf<{ title: string }[]>(
      await random.pick(fleet.services).execute("issues", "context_store_search", params),
    );
    return found === undefined ? undefined : { kind: "read", key, value: found[0]?.title ?? null };
  });
}

/** People who change issues. */
async function changeThings({ platform: { world }, services }: Fleet, issues: Issue[], random: Random, until: number) {
  const repository = hello(world);
  for (let version = 1; performance.now() < until; version++) {
    const issue = random.pick(issues);
    Object.assign(issue, { title: `${issue.id} v${version}`, updatedAt: later(newest(repository), 1) });
    world.hookSender.tell(world.hooks);
    if (random.chance(0.2)) void random.pick(services).sync();
    await pause(50 + random.below(300));
  }
}

async function record(fleet: Fleet, seed: number): Promise<{ readonly lines: readonly Line[]; readonly faults: number }> {
  const random = createRandom(seed);
  const history = new History();
  const { world } = fleet.platform;
  const repository = hello(world);
  const since = await lastNoted(fleet.place.direct);
  // The clock of the database and that of this process, which both are the machine's.
  const offset = now() - (performance.timeOrigin + performance.now()) * 1e6;
  world.hookSender.trouble = { late: 100, twice: 0.3, lost: 0.1 };
  const issues = Array.from({ length: registers }, () => addIssue(repository, later(newest(repository), 1)));
  const until = performance.now() + Number(LENGTH) * 1_000;
  const reader = async (name: string) => {
    for (let place = 0; performance.now() < until; place++) {
      await read(fleet, history, name, issues[place % registers]?.id ?? "", random);
      await pause(10 + random.below(20));
    }
  };
  const keys = Array.from({ length: creations }, (_, place) => `history-${seed}-${place}`);
  const [faults] = await Promise.all([
    breakThings(fleet, random, until),
    changeThings(fleet, issues, random, until),
    reader("r1"),
    reader("r2"),
    ...keys.flatMap((key, place) => ["a", "b"].map((half) => createOnce(fleet, history, `c${place}${half}`, key, random, until))),
  ]);
  await Promise.all([...fleet.services, ...fleet.workers].map((one) => one.ready()));
  for (const { id } of issues) await read(fleet, history, "end", id, random);
  for (const key of keys) {
    // What a service was doing for a client who did not wait ends within the time of a request.
    const numbers = repository.issues.filter(({ title }) => title === key).map(({ number }) => number);
    await history.note("end", { kind: "found", key, numbers }, async () => ({ kind: "found", key, numbers }));
  }
  const own = new Set(issues.map(({ id }) => id));
  const witnessed = await readWitness(
    fleet.place.direct,
    since,
    (key) => own.has(key),
    (ms) => ms * 1e6 + offset,
  );
  return { lines: [...history.lines, ...witnessed], faults };
}

const first = Number(SEED);
const counts = { histories: 0, operations: 0, reads: 0, writes: 0, creations: 0, leases: 0, faults: 0 };
const names = { read: "reads", write: "writes", create: "creations", lease: "leases" } as const;
for (let seed = first; seed < first + Number(COUNT); ) {
  const fleet = await startFleet(IMPORT);
  try {
    for (let some = 0; some < ofFleet && seed < first + Number(COUNT); some++, seed++) {
      const { lines, faults } = await record(fleet, seed);
      const wrong = check(lines);
      const lie = falsified(lines, createRandom(seed));
      if (lie !== undefined && check(lie).length === 0) wrong.push("The history passes with a falsified line too.");
      counts.histories++;
      counts.faults += faults;
      for (const { type, operation } of lines) {
        if (type === "begin") counts.operations++;
        else if (type === "done" && operation.kind !== "found") counts[names[operation.kind]]++;
      }
      if (wrong.length === 0) continue;
      const folder = join(import.meta.dirname, "../../.cache/histories");
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${seed}.jsonl`);
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      console.log(`History ${seed} is wrong (${file}):\n  ${wrong.join("\n  ")}`);
      process.exitCode = 1;
    }
  } finally {
    await fleet.close();
  }
}
console.log(
  Object.entries(counts)
    .map(([name, count]) => `${name}: ${count.toLocaleString("en")}`)
    .join(", "),
);
process.exit();
