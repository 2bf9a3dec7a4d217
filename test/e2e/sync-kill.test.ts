import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "../../runtime/simulated/github/seed/random.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { forgetScope } from "../../runtime/sync/index.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { unpaced } from "../support/fake-instance.ts";
import { allScopes, hello, instanceOn, newFolder, plansOf, syncWith } from "./support/cache.ts";
import { type Dump, dump, faultsOf } from "./support/dump.ts";
import type { Task } from "./support/sync-child.ts";

// A sync that is killed at any moment goes on where it was, and ends with the store of a sync that was never killed. So does a process that
// forgets a scope.
// `make test` kills a few times, `make chaos` many.

const kills = Number(process.env["TENON_TEST_KILLS"] ?? 8);
const seed = Number(process.env["TENON_TEST_SEED"] ?? 1);
/** How often the sync of one store is killed before one may run to its end. */
const mostPerStore = 8;

/** A process that forgets a scope kills itself within so many milliseconds, which is about what the largest scope takes. */
const forgetTime = 150;

const children = new Set<ChildProcess>();
const folders: string[] = [];
let url: string;
/** A sync that was never killed: its folder, what its store holds, and how many milliseconds it took. */
let whole: { readonly dataDir: string; readonly dump: Dump; readonly ms: number };
/** What its store holds after each of the scopes, which share records, was forgotten. */
let afterForgetting: readonly Dump[];
const forgotten = ["user=octocat", hello, "organization=tenon-labs"];

beforeAll(async () => {
  url = (await lines(start("./support/platform-child.ts")).next()).value ?? "";
  const dataDir = folder();
  const { ms } = await run({ url, dataDir, scopes: allScopes });
  whole = { dataDir, dump: dump(fileOf(dataDir)), ms };
  const copy = folder();
  cpSync(dataDir, copy, { recursive: true });
  afterForgetting = await forget(copy);
}, 120_000);

afterAll(async () => {
  for (const child of children) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  for (const made of folders) rmSync(made, { recursive: true, force: true });
});

function folder(): string {
  const made = newFolder();
  folders.push(made);
  return made;
}

const fileOf = (dataDir: string) => join(dataDir, "context-store.sqlite");

function start(script: string, ...args: readonly string[]): ChildProcess {
  const child = endsWithTests(
    spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/**
 * Forgets scopes one after the other.
 *
 * @param kill which of the scopes is first forgotten by a process that kills itself, and after how many milliseconds
 * @returns what the store holds after each of them
 */
async function forget(dataDir: string, kill?: { readonly at: number; readonly after: number }): Promise<Dump[]> {
  const dumps: Dump[] = [];
  for (const [index, scope] of forgotten.entries()) {
    const killed = index === kill?.at;
    const begun = killed ? await run({ url, dataDir, scopes: [], forget: { scope, dieAfter: kill.after } }) : undefined;
    release(dataDir);
    const store = new SqliteStore({ dataDir, plans: plansOf(unpaced) });
    await store.ready;
    const place = { connector: unpaced.name, instance: "github" };
    // The killed process may have been faster, or have had nothing left to do but to say so.
    const left = (await store.states(place)).some((one) => one.scope === scope);
    if (begun?.outcome === "complete") expect(left).toBe(false);
    if (left) expect((await forgetScope(unpaced, place, store, scope, new AbortController().signal)).scope).toBe(scope);
    await store.close();
    dumps.push(dump(fileOf(dataDir)));
  }
  return dumps;
}

async function* lines(child: ChildProcess): AsyncGenerator<string, undefined> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
}

/**
 * Syncs in a process of its own.
 *
 * @param killAfter milliseconds after its beginning when it is killed
 * @param isSecond whether another process syncs at the same time
 * @returns its outcome, or `killed`, and how many milliseconds it took
 */
async function run(task: Task, killAfter?: number, isSecond = false): Promise<{ outcome: string; ms: number }> {
  if (!isSecond) release(task.dataDir);
  const child = start("./support/sync-child.ts", JSON.stringify(task));
  const ended = once(child, "exit");
  let begun = 0;
  let outcome = "killed";
  let timer: NodeJS.Timeout | undefined;
  for await (const line of lines(child))
    if (line === "begun") {
      begun = performance.now();
      if (killAfter !== undefined) timer = setTimeout(() => child.kill("SIGKILL"), killAfter);
    } else outcome = line;
  clearTimeout(timer);
  const [code, signal] = await ended;
  if (signal !== "SIGKILL" && code !== 0) throw new Error(`the process ended with ${String(code)}`);
  return { outcome, ms: performance.now() - begun };
}

/** Takes away the right to sync that a killed process still has, so that the next one need not wait for a minute. */
function release(dataDir: string): void {
  const db = new Database(fileOf(dataDir));
  if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'store_leases'").get() !== undefined)
    db.exec("UPDATE store_leases SET until = 0");
  db.close();
}

describe("a sync that is killed", () => {
  it(
    `${kills} times at random moments leaves the store of an unbroken one`,
    async () => {
      const random = createRandom(seed);
      let killed = 0;
      for (let store = 0; killed < kills; store++) {
        const dataDir = folder();
        // Every third store has been synced before, and this sync reads everything again.
        const full = store % 3 === 2;
        if (full) cpSync(whole.dataDir, dataDir, { recursive: true });
        const task: Task = { url, dataDir, scopes: allScopes, full };
        for (let here = 0; here < mostPerStore && killed < kills; here++) {
          // Every second time, two workers share a scheduled sync.
          const tasks = here % 2 === 0 ? [task] : Array.from({ length: 2 }, () => ({ ...task, startedAt: "sync 1" }));
          const ended = await Promise.all(
            tasks.map((one, number) => run(one, random.below(Math.ceil(whole.ms / 4)), number > 0)),
          );
          const complete = ended.filter(({ outcome }) => outcome === "complete").length;
          if (complete === tasks.length) break;
          expect(ended.filter(({ outcome }) => outcome === "killed")).toHaveLength(tasks.length - complete);
          killed += tasks.length - complete;
          // Looking into the file repairs it, and the next process has to do that by itself most of the time.
          if (random.chance(0.3)) expect(faultsOf(fileOf(dataDir))).toEqual([]);
        }
        expect((await run(task)).outcome).toBe("complete");
        expect(dump(fileOf(dataDir)), `store ${store} with seed ${seed}`).toEqual(whole.dump);
        expect(faultsOf(fileOf(dataDir))).toEqual([]);
        const kill = { at: random.below(forgotten.length), after: random.below(forgetTime) };
        const what = `store ${store} with seed ${seed}, after scopes were forgotten, with ${JSON.stringify(kill)}`;
        expect(await forget(dataDir, kill), what).toEqual(afterForgetting);
        expect(faultsOf(fileOf(dataDir))).toEqual([]);
      }
    },
    30_000 + kills * 15_000,
  );

  it("while it reads entities of a scope leaves the others of the scope, and then these, to another worker", async () => {
    const dataDir = folder();
    const scheduled = { startedAt: "sync 1", isCurrent: async () => true };
    const child = start(
      "./support/sync-child.ts",
      JSON.stringify({ url, dataDir, scopes: allScopes, ...scheduled, holdAt: "IssuesSync" }),
    );
    for await (const line of lines(child)) if (line === "held") break;
    const store = new SqliteStore({ dataDir, plans: plansOf(unpaced) });
    await store.ready;
    const instance = instanceOn({ url, graphqlUrl: `${url}/graphql` }, store, "github", unpaced);
    const share = () => syncWith(instance, store, allScopes, { scheduled });
    const states = async () =>
      (await store.states({ connector: "github", instance: "github", scope: hello })).map(({ entity }) => entity);
    const before = await share();
    expect(before.elsewhere).toContain(hello);
    expect(before.entities.filter(({ scope }) => scope === hello).map(({ entity }) => entity)).toContain("tags");
    expect(await states()).not.toContain("issues");
    child.kill("SIGKILL");
    await once(child, "exit");
    const after = await share();
    expect([after.outcome, after.elsewhere]).toEqual(["complete", []]);
    const syncGroup = ["issues", "pull_requests", "comments", "pr_comments", "reviews"];
    expect(after.entities.filter(({ scope }) => scope === hello).map(({ entity }) => entity)).toEqual(syncGroup);
    await store.close();
    expect(dump(fileOf(dataDir))).toEqual(whole.dump);
    expect(faultsOf(fileOf(dataDir))).toEqual([]);
  });

  // Comments are read for several issues at once. The checkpoint is saved with each of these pages. Lists of a scope would not do here: a
  // sync compares their number of records with the platform's, and reads a list anew when they differ.
  const task = { scopes: [hello], entities: ["comments"] };

  it.each([2])("before page %i is saved leaves the store of an unbroken one", async (dieIn) => {
    const dataDir = folder();
    expect((await run({ ...task, url, dataDir, dieIn })).outcome).toBe("killed");
    expect((await run({ ...task, url, dataDir })).outcome).toBe("complete");
    expect(commentsOf(dataDir)).toEqual(commentsOf(whole.dataDir));
  });

  it("before or after pages are saved together leaves the store of an unbroken one", async () => {
    const several = { ...task, url, batch: 4 };
    const unbroken = folder();
    expect((await run({ ...several, dataDir: unbroken, together: "live" })).outcome).toBe("complete");
    for (const together of ["before", "after"] as const) {
      const dataDir = folder();
      expect((await run({ ...several, dataDir, together })).outcome).toBe("killed");
      const left = commentsOf(dataDir)["github_comments"]?.length ?? 0;
      expect((await run({ ...several, dataDir })).outcome).toBe("complete");
      expect(commentsOf(dataDir), together).toEqual(commentsOf(unbroken));
      // Of the pages that were not saved, nothing was there.
      expect(left).toBeLessThan(commentsOf(unbroken)["github_comments"]?.length ?? 0);
    }
  });

  it.each([1, 2])(
    "between checkpoint and page %i, where these are saved apart, is caught by the same comparison",
    async (dieIn) => {
      const dataDir = folder();
      const saboteur = { ...task, url, dataDir, saboteur: true };
      expect((await run({ ...saboteur, dieIn })).outcome).toBe("killed");
      expect((await run(saboteur)).outcome).toBe("complete");
      expect(commentsOf(dataDir)).not.toEqual(commentsOf(whole.dataDir));
    },
  );

  it("leaves the same store when it is not killed, also where checkpoint and page are saved apart: only a kill shows that fault", async () => {
    const dataDir = folder();
    expect((await run({ ...task, url, dataDir, saboteur: true })).outcome).toBe("complete");
    expect(commentsOf(dataDir)).toEqual(commentsOf(whole.dataDir));
  });
});

/** The rows of a store that are about comments. */
function commentsOf(dataDir: string): Dump {
  return Object.fromEntries(
    Object.entries(dump(fileOf(dataDir))).flatMap(([name, rows]) => {
      if (name.startsWith("github_comments")) return [[name, rows] as const];
      return ["counts", "states", "markers"].includes(name)
        ? [[name, rows.filter((row) => row.includes('"comments"'))] as const]
        : [];
    }),
  );
}
