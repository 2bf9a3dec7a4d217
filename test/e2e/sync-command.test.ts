import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import type { Json } from "../simulator/client.ts";
import { useCommandHost } from "../support/command-host.ts";
import type { Platform } from "../support/github/start.ts";
import { openReceiver } from "../support/receiver.ts";
import { openCache } from "./support/cache.ts";
import { liveRecords } from "./support/live.ts";
import { type Processes, type Running, withProcesses } from "./support/process.ts";
import { alone, apiKey, expectNoSecret, until } from "./support/service.ts";
import { hello as helloOf } from "./support/world.ts";

// `tenon sync`, as people and schedulers run it.

const hello = "repository=octocat/hello-world";
const labels = ["--scope", hello, "--entity", "labels"];

function environment({ url, graphqlUrl }: Platform, dataDir: string) {
  return { GITHUB_TOKEN: ownerToken, GITHUB_API_URL: url, GITHUB_GRAPHQL_URL: graphqlUrl, TENON_DATA_DIR: dataDir };
}

interface Ended {
  readonly code: number | null;
  readonly lines: readonly Json[];
  readonly err: string;
}

/** How a process ends. */
async function end(running: Running): Promise<Ended> {
  return endedWith({ code: await running.exit, out: running.out(), err: running.err() });
}

const host = useCommandHost();

/** How a command ends that runs beside others in one process. */
async function endHere(env: Readonly<Record<string, string>>, args: readonly string[]): Promise<Ended> {
  return endedWith(await host.run(args, env));
}

function endedWith({ code, out, err }: { readonly code: number | null; readonly out: string; readonly err: string }): Ended {
  expectNoSecret(out);
  expectNoSecret(err);
  const lines = out.split("\n").filter((line) => line !== "");
  return { code, lines: lines.map((line): Json => JSON.parse(line)), err };
}

const fileOf = (dataDir: string) => join(dataDir, "context-store.sqlite");

/** Records of a page of issues, as the plan of their sync says. */
const pageSize = github.entities["issues"]?.sync[0]?.size?.value;

/** Runs `tenon sync github` with these arguments on the test's platform. */
function syncing({ platform }: Processes, dataDir: string, ...args: readonly string[]): Promise<Ended> {
  return endHere(environment(platform, dataDir), ["sync", "github", ...args]);
}

describe("tenon sync", () => {
  it("writes a line of JSON for each page and entity, ends with 0, and the next one finds nothing new", async () => {
    await withProcesses(async (processes) => {
      const dataDir = processes.folder();
      const args = ["sync", "github", ...labels, "--entity", "issues"];
      const first = await end(processes.start(environment(processes.platform, dataDir), args));
      expect([first.code, first.err]).toEqual([0, ""]);
      const pages = first.lines.filter(({ event }) => String(event) === "page");
      expect(pages).toContainEqual({
        event: "page",
        scope: hello,
        entity: "issues",
        records: pageSize,
        calls: expect.any(Number),
        points: expect.any(Number),
        quota_left: expect.any(Number),
      });
      expect(first.lines).toContainEqual(
        expect.objectContaining({ event: "end", scope: hello, entity: "labels", outcome: "complete", inserted: 10, removed: 0 }),
      );
      expect(first.lines.at(-1)).toEqual({ event: "done", outcome: "complete", entities: 2 });
      const second = await syncing(processes, dataDir, ...labels);
      expect(second.code).toBe(0);
      expect(second.lines).toContainEqual(
        expect.objectContaining({ event: "end", entity: "labels", inserted: 0, changed: 0, unchanged: 10 }),
      );
    });
  });

  it("ends with 73 when too much would be removed, and with 0 once that is allowed", async () => {
    await withProcesses(async (processes) => {
      const dataDir = processes.folder();
      await syncing(processes, dataDir, ...labels);
      helloOf(processes.platform.world).labels.splice(3);
      const refused = await syncing(processes, dataDir, ...labels);
      expect([refused.code, refused.lines.at(-1)]).toEqual([73, { event: "done", outcome: "refused", entities: 1 }]);
      const allowed = await syncing(processes, dataDir, ...labels, "--allow-mass-delete");
      expect(allowed.code).toBe(0);
      expect(allowed.lines).toContainEqual(expect.objectContaining({ event: "end", entity: "labels", removed: 7 }));
    });
  });

  it("ends with 75 when the platform did not respond everything, and names what failed", async () => {
    await withProcesses(async (processes) => {
      processes.platform.fail({ kind: "forbidden", times: Number.POSITIVE_INFINITY });
      const { code, lines } = await syncing(processes, processes.folder(), ...labels);
      expect(code).toBe(75);
      expect(lines).toContainEqual(
        expect.objectContaining({
          event: "end",
          entity: "labels",
          outcome: "failed",
          problem: { code: "platform_forbidden", message: expect.any(String) },
        }),
      );
    });
  });

  it("ends with 66 and one message when the platform has no such scope, and does not ask to try again", async () => {
    await withProcesses(async (processes) => {
      const dataDir = processes.folder();
      const { code, lines, err } = await syncing(processes, dataDir, "--scope", "repository=octocat/nope");
      expect([code, lines.at(-1), err]).toEqual([66, { event: "done", outcome: "missing", entities: 18 }, ""]);
      const failed = lines.filter(({ problem }) => problem !== undefined);
      expect(failed).toMatchObject([{ scope: "repository=octocat/nope", problem: { code: "not_found" } }]);
      // Beside a scope that has another problem, trying again helps.
      processes.platform.fail({ kind: "forbidden", times: Number.POSITIVE_INFINITY, skip: 2 });
      const both = await syncing(processes, dataDir, ...labels, "--scope", "repository=octocat/nope");
      expect(both.code).toBe(75);
    });
  });

  it("ends with 66 on a service too, when the platform has no such scope", () =>
    alone({}, async ({ tenon }) => {
      const env = { TENON_URL: tenon.url, TENON_API_KEY: apiKey };
      const { code, lines } = await endHere(env, ["sync", "github", "--scope", "repository=octocat/nope"]);
      expect([code, lines.at(-1)]).toEqual([66, { event: "done", outcome: "missing", entities: expect.any(Number) }]);
      expect(lines.filter(({ state }) => String(state) === "gone")).toMatchObject([{ problem: { code: "not_found" } }]);
      // Beside a scope that was read, the missing one still decides.
      const both = await endHere(env, ["sync", "github", ...labels, "--scope", "repository=octocat/nope"]);
      expect([both.code, both.lines.at(-1)]).toMatchObject([66, { outcome: "missing" }]);
    }));

  it("sends a service all that its flags say", async () => {
    const service = await openReceiver();
    service.respond(() => ({ status: 403, body: JSON.stringify({ error: { code: "forbidden", message: "Not you." } }) }));
    const env = { TENON_URL: new URL(service.url).origin, TENON_API_KEY: apiKey };
    const { code } = await endHere(env, ["sync", "github", ...labels, "--full", "--allow-mass-delete"]);
    await service.close();
    expect(code).toBe(77);
    expect(service.received.map(({ body }) => body)).toEqual([
      { scopes: [hello], entities: ["labels"], full: true, allow_mass_delete: true },
    ]);
  });

  it.each<[string, string[], number, RegExp]>([
    ["an unknown connector", ["githup"], 66, /no connector "githup".*github/s],
    [
      "an unknown kind of scope",
      ["github", "--scope", "repositry=a/b"],
      65,
      /"repositry".*Did you mean "repository=a\/b"\?.*"allowed":.*organization/s,
    ],
    [
      "a repository without its owner",
      ["github", "--scope", "repository=hello-world"],
      65,
      /repository takes <owner>\/<repo>, such as repository=/,
    ],
    ["a scope without a value", ["github", "--scope", "organization"], 65, /organization takes <org>/],
    ["an account with a value", ["github", "--scope", "account=octocat"], 65, /account takes no value/],
    [
      "an unknown entity",
      ["github", "--entity", "isues"],
      65,
      /no entity "isues".*Did you mean "issues"\?.*"allowed":.*pull_requests/s,
    ],
    ["no connector", [], 64, /missing required argument 'connector_id'/],
    ["two connectors", ["github", "github"], 64, /too many arguments for 'sync'/],
    ["an unknown option", ["github", "--fulll"], 64, /--fulll/],
  ])("refuses %s before it reads anything", async (_title, args, code, message) => {
    await withProcesses(async ({ platform, folder }) => {
      const ended = await endHere(environment(platform, folder()), ["sync", ...args]);
      expect([ended.code, ended.lines]).toEqual([code, []]);
      const problem = JSON.parse(ended.err);
      expect(`${problem.message} ${JSON.stringify(problem.errors ?? [])}`).toMatch(message);
      expect(ended.err).not.toMatch(/ at .*\.ts:\d/);
      expect(platform.requests).toEqual([]);
    });
  });

  it("says that its data folder cannot be made, with 78", async () => {
    await withProcesses(async (processes) => {
      const { code, err } = await syncing(processes, "/proc/no/such", ...labels);
      expect([code, JSON.parse(err).message]).toEqual([
        78,
        "TENON_DATA_DIR: the folder /proc/no/such cannot be made or written to (ENOENT); choose another one",
      ]);
    });
  });

  it("ends in order when it is interrupted, and the next one goes on from there", async () => {
    await withProcesses(async (processes) => {
      const { platform, start, folder } = processes;
      const dataDir = folder();
      // An entity is certainly being read when it is interrupted, because the platform holds the answer.
      const held = Promise.withResolvers<void>();
      const answered = 20;
      platform.fail({ kind: "held", until: held.promise, skip: answered, times: Number.POSITIVE_INFINITY });
      const running = start(environment(platform, dataDir), ["sync", "github", "--scope", hello]);
      await until(() => platform.arrived > answered);
      running.child.kill("SIGINT");
      const first = await end(running);
      held.resolve();
      expect([first.code, first.err]).toEqual([75, ""]);
      expect(first.lines.at(-1)).toMatchObject({ event: "done", outcome: "partial" });
      expect(first.lines).toContainEqual(
        expect.objectContaining({ event: "end", problem: expect.objectContaining({ code: "shutting_down" }) }),
      );
      const before = platform.requests.length;
      const second = await syncing(processes, dataDir, "--scope", hello);
      expect(second.code).toBe(0);
      // Reading everything from the beginning would take more calls.
      expect(platform.requests.length - before).toBeLessThan(30);
      const cache = await openCache(platform, { dataDir });
      const live = await liveRecords(cache.instance, [hello], ["comments"]);
      expect((await cache.records("comments")).length).toBe(live["comments"]?.length);
      await cache.close();
    });
  });

  it("ends in order when nobody reads its progress any longer", async () => {
    await withProcesses(async ({ platform, start, folder }) => {
      const held = Promise.withResolvers<void>();
      platform.fail({ kind: "held", until: held.promise, skip: 20, times: Number.POSITIVE_INFINITY });
      const running = start(environment(platform, folder()), ["sync", "github", "--scope", hello]);
      await until(() => running.log().length > 0);
      running.child.stdout?.destroy();
      held.resolve();
      expect([await running.exit, running.err()]).toEqual([75, ""]);
    });
  });

  it("leaves a file of a newer version unchanged, and says so", async () => {
    await withProcesses(async (processes) => {
      const dataDir = processes.folder();
      await syncing(processes, dataDir, ...labels);
      const db = new Database(fileOf(dataDir));
      db.pragma("user_version = 1000");
      db.pragma("journal_mode = DELETE");
      db.close();
      const before = readFileSync(fileOf(dataDir));
      const { code, err, lines } = await syncing(processes, dataDir, ...labels);
      expect([code, lines]).toEqual([78, []]);
      expect(err).toMatch(/newer version of Tenon \(format 1000/);
      expect(readFileSync(fileOf(dataDir)).equals(before)).toBe(true);
    });
  });

  it.each<[string, (file: string) => void]>([
    [
      "belongs to another program",
      (file) => {
        const db = new Database(file);
        db.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')");
        db.close();
      },
    ],
    ["that is not an SQLite file", (file) => writeFileSync(file, "Dear diary, ".repeat(1000))],
  ])("leaves a file %s unchanged, and says so", async (_title, make) => {
    await withProcesses(async (processes) => {
      const dataDir = processes.folder();
      mkdirSync(dataDir, { recursive: true });
      make(fileOf(dataDir));
      const before = readFileSync(fileOf(dataDir));
      const { code, err, lines } = await syncing(processes, dataDir, ...labels);
      expect([code, lines]).toEqual([78, []]);
      expect(JSON.parse(err)).toMatchObject({
        code: "store_unusable",
        message: expect.stringMatching(/^The file of the context store/),
      });
      expect(err).not.toMatch(/ at .*\.ts:\d/);
      expect(readFileSync(fileOf(dataDir)).equals(before)).toBe(true);
    });
  });

  it("keeps a user of two organizations once, shows what is cached, and forgets one organization", async () => {
    await withProcesses(async (processes) => {
      const dataDir = processes.folder();
      const [labs, guild] = ["organization=tenon-labs", "organization=Paper-Guild"];
      await syncing(processes, dataDir, "--scope", labs, "--scope", guild, "--entity", "users");
      const organizations = async () => {
        const cache = await openCache(processes.platform, { dataDir });
        try {
          const records = await cache.records("users");
          return Object.fromEntries(records.map(({ login, organization }) => [login, organization]));
        } finally {
          await cache.close();
        }
      };
      expect(await organizations()).toMatchObject({
        octocat: ["Paper-Guild", "tenon-labs"],
        monalisa: ["tenon-labs"],
        hubot: ["Paper-Guild"],
      });
      const { lines } = await syncing(processes, dataDir, "--status");
      expect(lines).toMatchObject([
        { scope: guild, entity: "users", state: "complete", records: 2, problem: null, position: null, next_sync_at: null },
        { scope: labs, entity: "users", state: "complete", records: 4 },
      ]);
      const forgotten = await syncing(processes, dataDir, "--forget", "organization=paper-guild");
      expect(forgotten.lines).toEqual([{ event: "forgotten", scope: guild, removed: 1 }]);
      expect(await organizations()).toEqual(expect.objectContaining({ octocat: ["tenon-labs"], monalisa: ["tenon-labs"] }));
      const again = await syncing(processes, dataDir, "--forget", guild);
      expect([again.code, again.err]).toEqual([
        65,
        expect.stringContaining("Nothing of the scope organization=Paper-Guild is stored."),
      ]);
      const both = await syncing(processes, dataDir, "--forget", guild, "--full");
      expect([both.code, both.err]).toEqual([64, expect.stringContaining("cannot be combined")]);
    });
  });

  it("says that another sync is under way, and how to go on", async () => {
    await withProcesses(async (processes) => {
      const dataDir = processes.folder();
      await syncing(processes, dataDir, ...labels);
      const db = new Database(fileOf(dataDir));
      db.prepare("INSERT OR REPLACE INTO store_leases (inst, owner, until) SELECT id, 'another', ? FROM store_instances").run(
        Date.now() + 60_000,
      );
      db.close();
      const { code, err } = await syncing(processes, dataDir, ...labels);
      expect([code, JSON.parse(err)]).toMatchObject([
        75,
        { code: "sync_running", message: "This connector instance is being synced already (repository=octocat/hello-world)." },
      ]);
    });
  });
});
