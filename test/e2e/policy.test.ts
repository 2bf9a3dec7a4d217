import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { withAccounts } from "./support/accounts.ts";
import { writes } from "./support/calls.ts";
import { withProcesses } from "./support/process.ts";
import { alone, authorized, bad, good, startTenon, type Tenon } from "./support/service.ts";

// Writes under a policy that allows and rejects.

const folder = mkdtempSync(join(tmpdir(), "tenon-policy-"));
let serial = 0;

function policyFile(...rules: readonly object[]): string {
  const path = join(folder, `policy-${serial++}.json`);
  writeFileSync(path, JSON.stringify({ rules }));
  return path;
}

const target = { owner: "octocat", repo: "hello-world" };
const title = { ...target, issue_number: 1, title: "changed" };
const onlyLabels = [
  { entity: "issues", action: "update", fields: "labels", effect: "allow" },
  { effect: "reject", reason: "Ask the team." },
];

/** The text that a model gets for a call of the tool that writes. */
async function mcpWrite(tenon: Tenon, args: object): Promise<string> {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "write", arguments: args } };
  const headers = { ...authorized, accept: "application/json, text/event-stream" };
  const { text } = await tenon.send("POST", "/mcp", JSON.stringify(body), headers);
  return JSON.parse(text).result.content[0].text;
}

describe("a policy", () => {
  afterAll(() => rmSync(folder, { recursive: true }));

  it.concurrent("holds for what the platform knows by a former name, too: no redirect is followed", () =>
    alone({ policy: policyFile({ effect: "reject", params: { repo: "renamed-notes" } }) }, async ({ platform, tenon }) => {
      const create = (repo: string) => tenon.run("issues", "create", { owner: "octocat", repo, title: "a" });
      bad(await create("renamed-notes"), 403, "write_rejected");
      expect(bad(await create("old-notes"), 403, "write_rejected")["message"]).toContain("has this under another name now");
      expect(writes(platform).map(({ status }) => status)).toEqual([307]);
      good(await create("hello-world"));
    }));

  it.concurrent("keeps a rejected write from the platform, says why, and notes it", () =>
    alone({ policy: policyFile(...onlyLabels) }, async ({ platform, tenon }) => {
      const problem = bad(await tenon.run("issues", "update", title), 403, "write_rejected");
      expect(problem["message"]).toBe("The policy does not allow this issues.update. Nothing was sent. Ask the team.");
      bad(await tenon.run("issues", "update", { ...title, labels: ["bug"] }), 403, "write_rejected");
      bad(await tenon.run("comments", "create", { ...target, issue_number: 1, body: "a" }), 403, "write_rejected");
      expect(writes(platform)).toHaveLength(0);
      good(await tenon.run("issues", "update", { ...target, issue_number: 1, labels: ["bug"] }));
      good(await tenon.run("issues", "get", { ...target, number: 1 }));
      expect(writes(platform)).toHaveLength(1);
      const entries = await withAccounts(tenon.dataDir, (store) => store.lastAudited(20));
      expect(entries.filter(({ action }) => action === "issues.update").map(({ outcome, fields }) => [outcome, fields])).toEqual([
        ["done", ["labels"]],
        ["begun", ["labels"]],
        ["write_rejected", ["title", "labels"]],
        ["write_rejected", ["title"]],
      ]);
    }));

  it.concurrent("leaves the Idempotency-Key of a rejected write free", () => {
    const policy = policyFile({ effect: "reject" });
    return alone({ policy }, async ({ platform, tenon }) => {
      const headers = { "idempotency-key": "once" };
      bad(await tenon.run("issues", "update", title, { headers }), 403, "write_rejected");
      writeFileSync(policy, '{"rules": [ ]}');
      good(await tenon.run("issues", "update", title, { headers }));
      expect(writes(platform)).toHaveLength(1);
    });
  });

  it.concurrent("counts as soon as its file has changed, and refuses all writes while it is wrong", () => {
    const policy = policyFile({ effect: "allow" });
    return alone({ policy }, async ({ platform, tenon }) => {
      good(await tenon.run("issues", "update", title));
      writeFileSync(policy, '{"rules": [{"effect": "reject", "entity": "isues"}]}');
      bad(await tenon.run("issues", "update", title), 503, "policy_unusable");
      expect(tenon.log.join("")).toContain("Did you mean");
      rmSync(policy);
      bad(await tenon.run("issues", "update", title), 503, "policy_unusable");
      good(await tenon.run("issues", "get", { ...target, number: 1 }));
      expect(writes(platform)).toHaveLength(1);
      writeFileSync(policy, '{"rules": [{"effect": "allow"}]}');
      good(await tenon.run("issues", "update", title));
    });
  });

  it.concurrent("that is wrong keeps a service from starting", async () => {
    const policy = policyFile({ effect: "deny" });
    const started = startTenon({ url: "http://127.0.0.1:1", graphqlUrl: "http://127.0.0.1:1" }, { policy });
    await expect(started).rejects.toThrow(/TENON_POLICY: .*policy.*\/rules\/0\/effect: .*Allowed: allow, reject/);
  });

  it.concurrent("holds for tools of models, which get the reason", () =>
    alone({ policy: policyFile(...onlyLabels), mcpWrites: true }, async ({ platform, tenon }) => {
      const text = await mcpWrite(tenon, { entity: "issues", action: "update", params: title });
      expect(JSON.parse(text).error).toMatchObject({ code: "write_rejected", message: expect.stringContaining("Ask the team.") });
      expect(writes(platform)).toHaveLength(0);
    }));

  it.concurrent("holds for commands without a service, is checked by one, and is tried on the audit log", () =>
    withProcesses(async ({ platform, start, folder: newFolder }) => {
      const [wrong, right] = [policyFile({ effect: "deny" }), policyFile(...onlyLabels)];
      const env = {
        TENON_DATA_DIR: newFolder(),
        GITHUB_TOKEN: ownerToken,
        GITHUB_API_URL: platform.url,
        GITHUB_GRAPHQL_URL: platform.graphqlUrl,
      };
      const update = ["execute", "github", "issues", "update", "--params", JSON.stringify(title)];
      const checked = start(env, ["policy", "check", wrong]);
      const rejected = start({ ...env, TENON_POLICY: right }, update);
      expect([await checked.exit, checked.err()]).toEqual([78, expect.stringContaining("/rules/0/effect")]);
      expect([await rejected.exit, rejected.err()]).toEqual([77, expect.stringContaining("Ask the team.")]);
      expect(writes(platform)).toHaveLength(0);
      await withAccounts(env.TENON_DATA_DIR, (store) =>
        store.audit(
          [
            { action: "issues.update", fields: ["labels"] },
            { action: "issues.update", fields: ["labels"] },
            { action: "issues.update", fields: ["labels", "title"] },
            { action: "issues.update" },
            { action: "comments.create", fields: ["body"] },
            { action: "proposal.approve", target: "prop_1 hash" },
          ].flatMap((entry) =>
            ["begun", "done"].map((outcome) => ({
              ...{ at: Date.now(), caller: "agent", target: "github", outcome, requestId: null, intent: null, times: 1 },
              ...entry,
            })),
          ),
        ),
      );
      const tried = start(env, ["policy", "dry-run", right, "--since", "1h"]);
      expect(await tried.exit).toBe(0);
      expect(tried.err()).toContain(
        "Of 5 writes, 2 would have been rejected, and 0 would have waited for an approval. The audit log does not say enough about 1.",
      );
      const rows = tried
        .out()
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line));
      const row = (
        action: string,
        fields: readonly string[] | null,
        writes: number,
        effect: string,
        rules: readonly string[],
      ) => ({
        ...{ caller: "agent", connector: "github", action, fields, writes, effect, rules },
        cannot_tell: effect.includes(" or ") ? "a rule looks at fields, and this entry of an earlier version has none" : null,
      });
      expect(rows).toEqual([
        row("issues.update", ["labels"], 2, "allow", ["1"]),
        row("issues.update", ["labels", "title"], 1, "reject", ["2"]),
        row("issues.update", null, 1, "allow or reject", ["1", "2"]),
        row("comments.create", ["body"], 1, "reject", ["2"]),
      ]);
    }));
});
