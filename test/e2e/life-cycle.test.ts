import { describe, expect, it, vi } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import type { Platform } from "../support/github/start.ts";
import { withProcesses } from "./support/process.ts";
import { apiKey, authorized, executePath, expectNoSecret, pause, until } from "./support/service.ts";

// `tenon serve` as a process, on a simulated platform of the test.

const settings = (platform: Platform) => ({
  GITHUB_TOKEN: ownerToken,
  GITHUB_API_URL: platform.url,
  GITHUB_GRAPHQL_URL: platform.graphqlUrl,
  TENON_API_KEY: apiKey,
});
const viewer = (url: string) =>
  fetch(`${url}${executePath}`, {
    method: "POST",
    headers: authorized,
    body: JSON.stringify({ entity: "viewer", action: "get", params: { fields: ["login"] } }),
  });
const answer = { data: { login: "octocat" }, meta: { has_next_page: false, end_cursor: null } };

describe("a service that runs", () => {
  it.concurrent("reports that it is alive and ready, without a token", () =>
    withProcesses(async ({ platform, start }) => {
      const url = await start(settings(platform)).url();
      const health = await fetch(`${url}/healthz`);
      expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
      // It listens before the file of the cache has been opened.
      const ready = await vi.waitFor(
        async () => {
          const answered = await fetch(`${url}/readyz`);
          expect(answered.status).toBe(200);
          return answered;
        },
        { timeout: 60_000, interval: 50 },
      );
      expect(await ready.json()).toMatchObject({ status: "ready", connectors: ["github"] });
      expect((await fetch(`${url}/healthz`, { method: "HEAD" })).status).toBe(200);
    }));

  it.concurrent("answers, and writes a log of JSON lines without secrets", () =>
    withProcesses(async ({ platform, start }) => {
      const running = start({ ...settings(platform), TENON_LOG_LEVEL: "trace" });
      const url = await running.url();
      expect(await (await viewer(url)).json()).toEqual(answer);
      running.child.kill("SIGTERM");
      expect(await running.exit).toBe(0);
      expect(running.log().map((line) => line["msg"])).toEqual(expect.arrayContaining(["listening", "request", "stopped"]));
      expect(running.log().find((line) => String(line["msg"]) === "request")).toMatchObject({
        method: "POST",
        connector: "github",
        entity: "viewer",
        action: "get",
        status: 200,
      });
      expectNoSecret(running.out() + running.err());
    }));

  it.concurrent("finds the GraphQL address from the REST address", () =>
    withProcesses(async ({ platform, start }) => {
      const { GITHUB_GRAPHQL_URL: _, ...others } = settings(platform);
      const url = await start({ ...others, GITHUB_API_URL: `${platform.url}/` }).url();
      expect(await (await viewer(url)).json()).toEqual(answer);
    }));

  it.concurrent("continues when its output is not read", () =>
    withProcesses(async ({ platform, start }) => {
      const running = start({ ...settings(platform), TENON_LOG_LEVEL: "trace" });
      const url = await running.url();
      running.child.stdout?.destroy();
      running.child.stderr?.destroy();
      // The log is written twice a second.
      for (let round = 0; round < 3; round++) {
        expect(await (await viewer(url)).json()).toEqual(answer);
        await pause(600);
      }
      expect(running.child.exitCode).toBeNull();
    }));

  it.concurrent("writes no log at the level silent", () =>
    withProcesses(async ({ platform, start }) => {
      const running = start({ ...settings(platform), TENON_LOG_LEVEL: "silent" });
      await running.told("Tenon is ready");
      expect(running.out()).toBe("");
    }));
});

describe("a signal", () => {
  const slowly = (platform: Platform, ms: number) => platform.fail({ kind: "slow", ms });

  it.concurrent.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s lets a slow request end, takes no new ones, and ends well",
    (signal) =>
      withProcesses(async ({ platform, start }) => {
        const running = start(settings(platform));
        const url = await running.url();
        // Both requests must be at the platform before the signal: the first one comes back, the second is held.
        await viewer(url);
        const held = Promise.withResolvers<void>();
        platform.fail({ kind: "held", until: held.promise });
        const slow = viewer(url);
        await until(() => platform.arrived === 2);
        running.child.kill(signal);
        await pause(200);
        const late = await viewer(url).then(
          (reply) => reply.status,
          () => "refused",
        );
        expect([503, "refused"]).toContain(late);
        expect(running.child.exitCode).toBeNull();
        held.resolve();
        expect(await (await slow).json()).toEqual(answer);
        expect(await running.exit).toBe(0);
        expect(platform.requests.length).toBe(2);
      }),
  );

  it.concurrent("under load drops no request that has come to the platform, and ends within the time that there is", () =>
    withProcesses(async ({ platform, start }) => {
      const running = start({ ...settings(platform), TENON_SHUTDOWN_MS: "60000" });
      const url = await running.url();
      platform.fail({ kind: "slow", ms: 300, times: 100_000 });
      const outcomes: unknown[] = [];
      let going = true;
      const caller = async () => {
        while (going) {
          const status = await viewer(url).then(
            (reply) => reply.status,
            () => "refused",
          );
          outcomes.push(status);
        }
      };
      const callers = Array.from({ length: 30 }, caller);
      await until(() => platform.arrived > 60);
      const signalled = performance.now();
      running.child.kill("SIGTERM");
      expect(await running.exit).toBe(0);
      expect(performance.now() - signalled).toBeLessThan(60_000);
      going = false;
      await Promise.all(callers);
      expect(outcomes.filter((one) => one === 200)).toHaveLength(platform.arrived);
      expect(new Set(outcomes.filter((one) => one !== 200 && one !== 503))).toEqual(new Set(["refused"]));
    }));

  it.concurrent("that kills it loses nothing that was answered: it is ready after the next start, and has all of it", () =>
    withProcesses(async ({ platform, start, folder }) => {
      const env = { ...settings(platform), TENON_DATA_DIR: folder() };
      const create = async (url: string, key: string) => {
        const headers = { ...authorized, "idempotency-key": key };
        const params = { owner: "octocat", repo: "hello-world", title: key };
        const body = JSON.stringify({ entity: "issues", action: "create", params });
        const reply = await fetch(`${url}${executePath}`, { method: "POST", headers, body });
        const { data, meta } = (await reply.json()) as { data: unknown; meta?: { replayed?: boolean } };
        return { status: reply.status, data, replayed: meta?.replayed };
      };
      const keys = ["a", "b", "c"];
      const sync = executePath.replace("execute", "sync");
      const states = async (url: string) =>
        (await fetch(url + sync, { headers: authorized })).json() as Promise<{ data: object[] }>;
      const first = start(env);
      await first.told("Tenon is ready");
      const url = await first.url();
      const scopes = JSON.stringify({ scopes: ["repository=octocat/hello-world"], entities: ["labels"] });
      expect((await fetch(url + sync, { method: "POST", headers: authorized, body: scopes })).status).toBe(202);
      const answers = await Promise.all(keys.map((key) => create(url, key)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const before = await vi.waitFor(
        async () => {
          const found = await states(url);
          expect(found.data).toMatchObject([{ entity: "labels", state: "complete" }]);
          return found.data;
        },
        { timeout: 60_000, interval: 50 },
      );
      first.child.kill("SIGKILL");
      await first.exit;
      const second = start(env);
      const again = await second.url();
      await second.told("Tenon is ready");
      expect((await fetch(`${again}/readyz`)).status).toBe(200);
      const repeated = await Promise.all(keys.map((key) => create(again, key)));
      expect(repeated).toEqual(answers.map((one) => ({ ...one, replayed: true })));
      expect((await states(again)).data).toEqual(before);
      second.child.kill("SIGTERM");
      await second.exit;
      const audit = start(env, ["audit"]);
      await audit.exit;
      const done = audit.log().filter(({ action, outcome }) => `${action} ${outcome}` === "issues.create done");
      expect(done).toHaveLength(keys.length);
    }));

  it.concurrent("ends a service without requests at once", () =>
    withProcesses(async ({ platform, start }) => {
      const running = start(settings(platform));
      await viewer(await running.url());
      running.child.kill("SIGTERM");
      expect(await running.exit).toBe(0);
      expect(running.log()).toContainEqual(expect.objectContaining({ msg: "stopped", clean: true }));
    }));

  it.concurrent("cuts off requests that take too long, and reports that in the exit status", () =>
    withProcesses(async ({ platform, start }) => {
      const running = start({ ...settings(platform), TENON_SHUTDOWN_MS: "100" });
      const url = await running.url();
      slowly(platform, 100_000);
      const slow = viewer(url).then(
        () => "answered",
        () => "cut off",
      );
      await until(() => platform.arrived === 1);
      running.child.kill("SIGTERM");
      expect(await running.exit).toBe(70);
      expect(await slow).toBe("cut off");
    }));

  it.concurrent("sent twice ends it at once", () =>
    withProcesses(async ({ platform, start }) => {
      const running = start(settings(platform));
      const url = await running.url();
      slowly(platform, 100_000);
      const slow = viewer(url).catch(() => undefined);
      await until(() => platform.arrived === 1);
      // An echo of the first, as a terminal and a launcher make it, does not count.
      running.child.kill("SIGTERM");
      const first = performance.now();
      await pause(50);
      running.child.kill("SIGTERM");
      const isEcho = performance.now() - first < 400;
      await pause(700);
      if (isEcho) expect(running.child.exitCode).toBeNull();
      running.child.kill("SIGTERM");
      expect(await running.exit).toBe(70);
      await slow;
    }));

  it.concurrent("lets it take requests for the time of the setting, while a load balancer turns away", () =>
    withProcesses(async ({ platform, start }) => {
      const running = start({ ...settings(platform), TENON_SHUTDOWN_DELAY_MS: "600000" });
      await running.told("Tenon is ready");
      const url = await running.url();
      running.child.kill("SIGTERM");
      const isLeaving = async () => expect((await fetch(`${url}/readyz`)).status).toBe(503);
      await vi.waitFor(isLeaving, { timeout: 60_000, interval: 50 });
      const taken = await viewer(url);
      expect([taken.status, taken.headers.get("connection"), await taken.json()]).toEqual([200, "close", answer]);
      await pause(700);
      running.child.kill("SIGTERM");
      expect(await running.exit).toBe(70);
    }));

  it.concurrent("ends the process even when a thread hangs in native code", () =>
    withProcesses(async ({ platform, start }) => {
      const preload = new URL("./support/hanging-threads.js", import.meta.url).href;
      const running = start({ ...settings(platform), TENON_SHUTDOWN_MS: "100", NODE_OPTIONS: `--import=${preload}` });
      await running.told("Tenon is ready");
      running.child.kill("SIGUSR2");
      await running.told("a thread hangs now");
      running.child.kill("SIGTERM");
      await running.exit;
      expect(running.child.signalCode).toBe("SIGKILL");
      expect(running.log().map((line) => line["msg"])).toContain("stopped");
    }));
});
