import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "../../runtime/simulated/github/seed/random.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import type { Platform } from "../support/github/start.ts";
import { type ChaosFault, type ChaosPlace, makeChaosPlace, postgresPrograms, serverFaults } from "./support/chaos.ts";
import { type Processes, withProcesses } from "./support/process.ts";
import { apiKey, authorized, executePath, pause } from "./support/service.ts";
import { hello } from "./support/world.ts";

// `tenon serve` on a PostgreSQL server, with callers who write and search all the time, while the service or the server breaks. What a
// caller or an operator was told is done stays done, and is done once; what cannot be done meanwhile is 503 with the time to wait.

/** Each round starts processes, so that there are fewer than of the other rounds of chaos. */
const rounds = Math.ceil(Number(process.env["TENON_TEST_CHAOS"] ?? 8) / 4);
const isLong = process.env["TENON_TEST_CHAOS"] !== undefined;
const random = createRandom(Number(process.env["TENON_TEST_SEED"] ?? 1));
const syncPath = executePath.replace("execute", "sync");
const scopes = ["repository=octocat/hello-world"];

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

describe.skipIf(postgresPrograms === undefined)("a service on a PostgreSQL server that breaks", () => {
  let place: ChaosPlace;
  beforeAll(async () => {
    place = await makeChaosPlace(false);
  });
  afterAll(() => place.close());

  /** An answer; undefined where the service was not there, or was killed before it had answered. */
  async function ask(url: string, method: string, path: string, body?: object, headers: object = {}): Promise<Reply | undefined> {
    try {
      const init = {
        method,
        headers: { ...authorized, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const response = await fetch(url + path, init);
      return { status: response.status, text: await response.text(), retryAfter: response.headers.get("retry-after") };
    } catch {
      return undefined;
    }
  }

  it(
    `loses nothing in ${rounds} rounds, and does nothing twice`,
    () => withProcesses((processes) => allRounds(processes)),
    60_000 + rounds * 120_000,
  );

  async function allRounds({ platform, start, folder }: Processes): Promise<void> {
    const env = {
      ...{ GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url, GITHUB_GRAPHQL_URL: platform.graphqlUrl },
      ...{ TENON_API_KEY: apiKey, TENON_SECRET_KEY: "canary-secret-key-of-the-chaos-tests", TENON_DATABASE_URL: place.url },
      TENON_DATA_DIR: folder(),
    };
    let service = start(env);
    let url = await service.url();
    await service.told("Tenon is ready");
    const killed = async () => {
      service.child.kill("SIGKILL");
      await service.exit;
      service = start(env);
      url = await service.url();
    };
    /** While the server is gone, a search says so, and when to come again. */
    const away = async () => {
      await place.cluster.stop("immediate");
      const reply = await eventually(search, ({ status }) => status === 503);
      expect([JSON.parse(reply.text).code, reply.retryAfter]).toEqual(["database_unavailable", "1"]);
      await eventually(
        () => ask(url, "GET", "/readyz"),
        ({ status }) => status === 503,
      );
      await place.cluster.start();
    };
    const faults: readonly ChaosFault[] = [
      ["kill -9 of the service", killed],
      ["a server that is gone for a while", away],
      ...serverFaults(place),
    ];

    const strange: unknown[] = [];
    /** Whether an answer is one that a caller may get in chaos; notes it where it is not. */
    const note = (reply: Reply | undefined, good: readonly number[]) => {
      if (reply === undefined || good.includes(reply.status)) return;
      if (reply.status !== 503 || !(Number(reply.retryAfter) > 0)) strange.push(reply);
    };
    const search = async () => {
      const reply = await ask(url, "POST", executePath, {
        ...{ entity: "issues", action: "context_store_search" },
        params: { query: {}, fields: ["title"], limit: 1_000 },
      });
      note(reply, [200]);
      return reply;
    };
    const write = async (title: string) => {
      const params = { owner: "octocat", repo: "hello-world", title };
      const headers = { "idempotency-key": title };
      const reply = await ask(url, "POST", executePath, { entity: "issues", action: "create", params }, headers);
      // 409: an earlier try was cut off, and nobody can know what became of it.
      note(reply, [200, 409]);
      return reply;
    };
    /** What every finished write was answered, by its key: the record, or that it is in doubt. */
    const answers = new Map<string, Reply>();
    const madeKeys: string[] = [];

    for (let round = 0; round < rounds; round++) {
      const [name, fault] = faults[round % faults.length] ?? ["", () => undefined];
      let going = true;
      const writing = async (writer: number) => {
        for (let serial = 0; going; serial++) {
          const title = `chaos-${round}-${writer}-${serial}`;
          const reply = await eventually(() => write(title), isOver);
          answers.set(title, reply);
        }
      };
      const searching = async () => {
        while (going) {
          await search();
          await pause(isLong ? 5 : 50);
        }
      };
      const makingKeys = async () => {
        const command = start(env, ["key", "create", `key-${round}`]);
        if ((await command.exit) === 0) madeKeys.push(command.out().trim());
      };
      await ask(url, "POST", syncPath, { scopes, entities: ["issues"] });
      const callers = [writing(0), writing(1), searching(), searching(), makingKeys()];
      await pause(random.below(isLong ? 1_500 : 400));
      await fault();
      const back = performance.now();
      await eventually(search, ({ status }) => status === 200);
      const searched = performance.now() - back;
      await eventually(
        () => ask(url, "GET", "/readyz"),
        ({ status }) => status === 200,
      );
      going = false;
      await Promise.all(callers);

      expect(strange.slice(0, 3), name).toEqual([]);
      await expectOnce(platform, answers);
      for (const [title, first] of answers) {
        // A key that was in doubt stays so, and the others get the first answer again.
        const again = await eventually(() => write(title), isOver);
        expect([title, again.status, sameOf(again)]).toEqual([title, first.status, sameOf(first)]);
      }
      await expectOnce(platform, answers);
      for (const key of madeKeys) {
        const reply = await ask(url, "GET", syncPath, undefined, { authorization: `Bearer ${key}` });
        expect(reply?.status).toBe(200);
      }
      await synced();
      const titles = (JSON.parse((await search())?.text ?? "{}") as { data: { title: string }[] }).data.map(({ title }) => title);
      expect(titles.sort()).toEqual(
        hello(platform.world)
          .issues.map(({ title }) => title)
          .sort(),
      );
      answers.clear();
      if (isLong) {
        console.log(`${name}: searches again after ${Math.round(searched)} ms`);
        // The service itself takes a second or two to start.
        expect(searched).toBeLessThan(5_000);
      }
    }
    expect(madeKeys.length).toBeGreaterThan(0);

    /**
     * Waits for a sync that begins now, whatever an earlier one still does. One that goes on with a sync run that was cut off reads what
     * has changed meanwhile in a second sync run.
     */
    async function synced(): Promise<void> {
      await eventually(
        () => ask(url, "POST", syncPath, { scopes, entities: ["issues"] }),
        ({ status }) => status === 202,
      );
      const begun = new Date().toISOString();
      await eventually(
        () => ask(url, "GET", syncPath),
        ({ status, text }) => {
          if (status !== 200) return false;
          const { data, meta } = JSON.parse(text) as {
            data: { entity: string; synced_at: string | null }[];
            meta: { running: boolean };
          };
          return !meta.running && data.some(({ entity, synced_at }) => entity === "issues" && (synced_at ?? "") > begun);
        },
      );
    }
  }
});

/** What a response has whether it is the first one of its key or a repetition. */
function sameOf({ text }: Reply): unknown {
  const { instance: _, meta, ...rest } = JSON.parse(text) as { instance?: string; meta?: { replayed?: true } };
  return { ...rest, meta: { ...meta, replayed: undefined } };
}

/** Whether an answer to a write is the last one: it is not while the first request with its key may still be under way. */
function isOver({ status, text }: Reply): boolean {
  return status !== 503 && !(status === 409 && JSON.parse(text).code === "idempotency_running");
}

/** Asks until an answer is as wanted. */
async function eventually(get: () => Promise<Reply | undefined>, wanted: (reply: Reply) => boolean): Promise<Reply> {
  for (;;) {
    const reply = await get();
    if (reply !== undefined && wanted(reply)) return reply;
    await pause(20);
  }
}

/** What was answered with a record is there once, and what is in doubt at most once. */
async function expectOnce(platform: Platform, answers: ReadonlyMap<string, Reply>): Promise<void> {
  const counts = new Map<string, number>();
  for (const { title } of hello(platform.world).issues) counts.set(title, (counts.get(title) ?? 0) + 1);
  const wrong = [...answers].filter(([title, { status }]) => {
    const count = counts.get(title) ?? 0;
    return status === 200 ? count !== 1 : count > 1;
  });
  expect(wrong).toEqual([]);
}
