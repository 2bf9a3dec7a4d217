import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createRandom, type Random } from "../../runtime/simulated/github/seed/random.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { hello } from "../e2e/support/world.ts";
import { ended, type Fleet, type Process, startFleet } from "./fleet.ts";
import { check, falsified, type Line, type Operation } from "./history.ts";
import { plans, registersOf } from "./records.ts";

// `make histories`: writes down what two services and three workers do on a PostgreSQL server while processes are killed and suspended and
// connections are cut, and checks each history. SEED is the first one, COUNT how many there are, LENGTH how many seconds each takes.

const { SEED = "1", COUNT = "200", LENGTH = "6" } = process.env;
/** So many histories share their processes: the limits of the platform allow 500 writes an hour. */
const ofFleet = 40;
const registers = 4;
const creations = 4;

class History {
  readonly lines: Line[] = [];
  readonly #counts = new Map<string, number>();

  readonly add = (line: Line) => void this.lines.push(line);

  /** Writes down an operation of this process. @param act gives what was done; undefined where that is unknown */
  async note<Given extends Operation>(
    client: string,
    operation: Given,
    act: () => Promise<Given | undefined>,
  ): Promise<Given | undefined> {
    const id = (this.#counts.get(client) ?? 0) + 1;
    this.#counts.set(client, id);
    const line = { process: client, id };
    this.add({ ...line, at: now(), type: "begin", operation });
    const done = await act();
    this.add({ ...line, at: now(), type: done === undefined ? "lost" : "done", operation: done ?? operation });
    return done;
  }
}

const now = () => Number(process.hrtime.bigint());

/** Kills, suspends and cuts, one after the other. @returns how often */
async function breakThings(fleet: Fleet, workers: readonly Process[], random: Random, until: number): Promise<number> {
  const { place, services } = fleet;
  const suspended = async ({ child }: Process, ms: number) => {
    child.kill("SIGSTOP");
    await pause(ms);
    child.kill("SIGCONT");
  };
  const restarted = async (one: Process) => {
    await ended(one.child);
    one.again();
  };
  let times = 0;
  let restarts = 1;
  for (; performance.now() < until; times++) {
    await pause(200 + random.below(600));
    const what = random.below(12);
    if (what < 3) await restarted(random.pick(workers));
    else if (what < 6) await suspended(random.pick(workers), 1_100 + random.below(1_500));
    else if (what < 7 && restarts-- > 0) await restarted(random.pick(services));
    else if (what < 8) await suspended(random.pick(services), 500 + random.below(1_500));
    else if (what < 9) place.proxy.cut();
    else if (what < 10) void place.proxy.cutAtCommit("before");
    else if (what < 11) void place.proxy.cutAtCommit("after");
    else await place.cluster.stop("immediate").then(() => place.cluster.start());
  }
  return times;
}

/** Sends one write with its key from a client until it is answered. */
async function createOnce(
  fleet: Fleet,
  history: History,
  client: string,
  key: string,
  random: Random,
  until: number,
): Promise<void> {
  while (performance.now() < until) {
    const service = random.pick(fleet.services);
    const reply = await history.note(client, { kind: "create", key }, async () => {
      const response = await service.create(key);
      if (response?.status !== 200) return undefined;
      const { data } = JSON.parse(response.text) as { data: { number: number } };
      return { kind: "create", key, number: data.number } as Operation & { kind: "create" };
    });
    if (reply !== undefined) return;
    await pause(100 + random.below(400));
  }
}

async function record(
  fleet: Fleet,
  seed: number,
  store: PostgresStore,
): Promise<{ readonly history: History; readonly faults: number }> {
  const random = createRandom(seed);
  const history = new History();
  const instance = `h${seed}`;
  const collection = registersOf(instance);
  const until = performance.now() + Number(LENGTH) * 1_000;
  const workers = ["w1", "w2", "w3"].map((name) => fleet.startWorker(name, instance, registers, history.add));
  const read = (client: string, key: string) =>
    history.note(client, { kind: "read", key }, async () => {
      const query = {
        filter: { kind: "test", operator: "eq", field: "id", operand: key },
        sort: [],
        limit: 1,
        fields: null,
        explain: false,
      } as const;
      const found = await store.search(collection, query, performance.now() + 5_000).catch(() => undefined);
      if (found === undefined) return undefined;
      const [first] = JSON.parse(Buffer.from(found.json).toString()) as { value: string }[];
      return { kind: "read", key, value: first?.value ?? null } as Operation & { kind: "read" };
    });
  const reader = async (name: string) => {
    for (let place = 0; performance.now() < until; place++) {
      await read(name, `K${place % registers}`);
      await pause(10 + random.below(20));
    }
  };
  const keys = Array.from({ length: creations }, (_, place) => `history-${seed}-${place}`);
  const [faults] = await Promise.all([
    breakThings(fleet, workers, random, until),
    reader("r1"),
    reader("r2"),
    ...keys.flatMap((key, place) => ["a", "b"].map((half) => createOnce(fleet, history, `c${place}${half}`, key, random, until))),
  ]);
  await Promise.all(workers.map(({ child }) => ended(child)));
  await Promise.all(fleet.services.map((service) => service.ready()));
  for (let place = 0; place < registers; place++) await read("end", `K${place}`);
  for (const key of keys) {
    // What a service was doing for a client who did not wait ends within the time of a request.
    const numbers = hello(fleet.platform.world)
      .issues.filter(({ title }) => title === key)
      .map(({ number }) => number);
    await history.note("end", { kind: "found", key, numbers }, async () => ({ kind: "found", key, numbers }));
  }
  return { history, faults };
}

const first = Number(SEED);
const counts = { histories: 0, operations: 0, acknowledged: 0, creations: 0, tokens: 0, faults: 0 };
for (let seed = first; seed < first + Number(COUNT); ) {
  const fleet = await startFleet();
  const store = new PostgresStore({ database: fleet.place.direct, plans, searchTime: 5_000 });
  try {
    await store.ready;
    for (let some = 0; some < ofFleet && seed < first + Number(COUNT); some++, seed++) {
      const { history, faults } = await record(fleet, seed, store);
      const { lines } = history;
      const wrong = check(lines);
      const lie = falsified(lines, createRandom(seed));
      if (lie !== undefined && check(lie).length === 0) wrong.push("The history passes with a falsified line too.");
      counts.histories++;
      counts.faults += faults;
      for (const { type, operation } of lines) {
        if (type === "begin") counts.operations++;
        if (type !== "done") continue;
        if (operation.kind === "write") counts.acknowledged++;
        if (operation.kind === "create") counts.creations++;
        if (operation.kind === "lease" && operation.token !== undefined) counts.tokens++;
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
    await store.close();
    await fleet.close();
  }
}
console.log(
  Object.entries(counts)
    .map(([name, count]) => `${name}: ${count.toLocaleString("en")}`)
    .join(", "),
);
process.exit();
