import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { settingsTable } from "../../runtime/main/settings/settings-table.ts";
import { request, statuses, viewer as viewerBody, wire } from "../support/http.ts";
import { withAccounts } from "./support/accounts.ts";
import { alone, apiKey, bad, good, until } from "./support/service.ts";
import { type Answer, among, json } from "./support/stranger.ts";

// Many callers at once.

const secretKey = ["secret-key-of-the-test-of-many-callers"];
const viewer = ["viewer", "get", { fields: ["login"] }] as const;

/** Creates keys with all rights. @returns how a request is sent with each */
async function asKeys(dataDir: string, names: readonly string[]) {
  return withAccounts(dataDir, async (store) => {
    const keys = [];
    for (const name of names) {
      const made = { kind: "key", name, grant: fullGrant, expiresAt: null } as const;
      const { secret } = await createCaller(store, deriveKeys(secretKey), made);
      keys.push({ headers: { authorization: `Bearer ${secret}` } });
    }
    return keys;
  });
}

describe("many callers", () => {
  it("are all answered, each with its own", () =>
    alone({ timeoutMs: 100_000 }, async ({ tenon }) => {
      const names = ["octocat", "hubot", "monalisa", "defunkt"];
      const asked = Array.from({ length: 200 }, (_, index) => names[index % names.length]);
      const replies = await Promise.all(asked.map((username) => tenon.run("users", "get", { username, fields: ["login"] })));
      expect(replies.map((reply) => good(reply)["data"])).toEqual(asked.map((login) => ({ login })));
    }));

  it("never make more than 100 calls to the platform at once", async () => {
    const asked = 250;
    let held: ServerResponse[] = [];
    let most = 0;
    let answered = 0;
    const release = () => {
      answered += held.length;
      for (const response of held) json(response, '{"data":{"viewer":{"login":"x"}}}');
      held = [];
    };
    // Nothing is answered before as many calls have come as may, and then not until there was time for one too many.
    const answer: Answer = (_request, response) => {
      most = Math.max(most, held.push(response));
      if (held.length === Math.min(100, asked - answered)) setTimeout(release, 400);
    };
    await among(answer, { timeoutMs: 100_000 }, async ({ tenon }) => {
      const replies = await Promise.all(Array.from({ length: asked }, () => tenon.run(...viewer)));
      for (const reply of replies) good(reply);
    });
    expect(most).toBe(100);
  });

  it("leave calls to each other, however many slow ones one of them makes", () =>
    alone({ secretKey, callerPoints: 1_000_000 }, async ({ platform, tenon }) => {
      const [greedy, other] = await asKeys(tenon.dataDir, ["greedy", "other"]);
      const held = Promise.withResolvers<void>();
      // As many calls as the platform allows at once.
      platform.fail({ kind: "held", until: held.promise, times: 50 });
      const slow = Array.from({ length: 100 }, () => tenon.run(...viewer, greedy));
      await until(() => platform.arrived === 50);
      good(await tenon.run(...viewer, other));
      expect(platform.arrived).toBe(51);
      held.resolve();
      for (const reply of await Promise.all(slow)) good(reply);
    }));

  it("leave half of the hour's points to each other, as long as no setting says otherwise", () =>
    alone({ secretKey, callerPlatformShare: settingsTable.callerPlatformShare.default }, async ({ platform, tenon }) => {
      const [greedy, other] = await asKeys(tenon.dataDir, ["greedy", "other"]);
      platform.fail({ kind: "quota", remaining: 20 });
      const replies = await Promise.all(Array.from({ length: 30 }, () => tenon.run(...viewer, greedy)));
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
      expect(platform.arrived).toBe(10);
      for (const reply of replies.filter(({ status }) => status !== 200)) bad(reply, 429, "too_many_requests");
      good(await tenon.run(...viewer, other));
    }));

  it("wait for their turn no longer than a caller may, while the operator goes on waiting", () =>
    alone({ secretKey, callerPoints: 1_000_000, timeoutMs: 100_000, callerWaitMs: 200 }, async ({ platform, tenon }) => {
      const [greedy, other] = await asKeys(tenon.dataDir, ["greedy", "other"]);
      const held = Promise.withResolvers<void>();
      platform.fail({ kind: "held", until: held.promise, times: 100 });
      const slow = Array.from({ length: 50 }, () => tenon.run(...viewer, greedy));
      await until(() => platform.arrived === 50);
      const operators = Array.from({ length: 51 }, () => tenon.run(...viewer));
      await until(() => platform.arrived === 100);
      for (const caller of [greedy, other]) {
        const refused = await tenon.run(...viewer, caller);
        expect(bad(refused, 429, "rate_limited")["retryable"]).toBe(true);
        expect(refused.headers.get("retry-after")).toBe("1");
      }
      held.resolve();
      for (const reply of await Promise.all([...slow, ...operators])) good(reply);
      good(await tenon.run(...viewer, other));
    }));

  it("are not held up by one who sends many requests ahead on a connection", () =>
    alone({ maxRequests: 3 }, async ({ platform, tenon }) => {
      const ahead = async (count: number) => wire(tenon, Buffer.concat(Array(count).fill(request(viewerBody, [], apiKey))));
      platform.fail({ kind: "slow", ms: 3_000, times: 1 });
      const greedy = await ahead(12);
      await until(() => platform.arrived === 1);
      good(await tenon.run(...viewer));
      // All are answered all the same, one after the other.
      await until(() => statuses(greedy.text()).length === 12);
      expect(new Set(statuses(greedy.text()))).toEqual(new Set([200]));
      greedy.socket.destroy();
      platform.fail({ kind: "slow", ms: 3_000, times: 1 });
      const endless = await ahead(102);
      await endless.closed;
      good(await tenon.run(...viewer));
    }));

  it("beyond the limit have to try again later, and the others get their results", () =>
    alone({ maxRequests: 5, timeoutMs: 100_000 }, async ({ platform, tenon }) => {
      const held = Promise.withResolvers<void>();
      platform.fail({ kind: "held", until: held.promise, times: 5 });
      const slow = Array.from({ length: 5 }, () => tenon.run(...viewer));
      await until(() => platform.arrived === 5);
      const refused = await tenon.run(...viewer);
      expect(bad(refused, 503, "overloaded")["retryable"]).toBe(true);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      held.resolve();
      for (const reply of await Promise.all(slow)) good(reply);
      good(await tenon.run(...viewer));
    }));
});
