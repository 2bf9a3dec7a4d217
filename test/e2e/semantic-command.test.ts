import { describe, expect, it } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { withProcesses } from "./support/process.ts";

describe("tenon semantic status", () => {
  it("says how far the texts are embedded, which a sync does before it ends", async () => {
    await withProcesses(async ({ start, folder, platform }) => {
      const env = {
        GITHUB_TOKEN: ownerToken,
        GITHUB_API_URL: platform.url,
        GITHUB_GRAPHQL_URL: platform.graphqlUrl,
        TENON_DATA_DIR: folder(),
      };
      const run = async (settings: Readonly<Record<string, string>>, ...args: readonly string[]) => {
        const running = start(settings, args);
        return { code: await running.exit, lines: running.log(), err: running.err() };
      };
      // Without a credential, in a folder without records.
      const before = await run({ TENON_DATA_DIR: folder() }, "semantic", "status", "github");
      expect([before.code, before.lines]).toEqual([0, []]);
      expect(before.err).toMatch(/^SIMULATED: GitHub\./);
      await run(env, "sync", "github", "--scope", "repository=octocat/hello-world", "--entity", "issues");
      const after = await run(env, "semantic", "status", "github");
      expect(after.err).not.toContain("SIMULATED");
      expect(after.lines).toMatchObject([
        { entity: "issues", field: "body", state: "complete", ready: true, waiting: 0, problem: null },
      ]);
      expect(Number(after.lines[0]?.["passages"])).toBeGreaterThan(50);
    });
  });
});
