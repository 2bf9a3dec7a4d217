import { describe, expect, it } from "vitest";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { withProcesses } from "./support/process.ts";

describe("tenon semantic status", () => {
  it("says how far the texts are embedded, which a sync does before it ends", async () => {
    await withProcesses(async ({ start, folder, platform }) => {
      const dataDir = folder();
      const env = {
        GITHUB_TOKEN: ownerToken,
        GITHUB_API_URL: platform.url,
        GITHUB_GRAPHQL_URL: platform.graphqlUrl,
        TENON_DATA_DIR: dataDir,
      };
      const run = async (...args: readonly string[]) => {
        const running = start(env, args);
        return { code: await running.exit, lines: running.log() };
      };
      const before = await run("semantic", "status", "github");
      expect([before.code, before.lines]).toEqual([0, []]);
      await run("sync", "github", "--scope", "repository=octocat/hello-world", "--entity", "issues");
      const after = await run("semantic", "status", "github");
      expect(after.lines).toMatchObject([
        { entity: "issues", field: "body", state: "complete", ready: true, waiting: 0, problem: null },
      ]);
      expect(Number(after.lines[0]?.["passages"])).toBeGreaterThan(50);
    });
  });
});
