import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, expect, it } from "vitest";
import { liveThreads } from "../../../runtime/base/worker-calls.ts";
import { connectors } from "../../../runtime/main/connectors.ts";
import { openAccess } from "../../../runtime/main/open-access.ts";
import { defaultSettings } from "../../e2e/support/service.ts";

// A command waits for what it starts, and each thread takes a tenth of a second.

const dataDir = mkdtempSync(join(tmpdir(), "tenon-access-"));
const started: Worker[] = [];
const note = (worker: Worker) => void started.push(worker);
process.on("worker", note);

const access = await openAccess(
  { ...defaultSettings, dataDir, platforms: {}, timeoutMs: 100_000, searchTimeoutMs: 100_000 },
  {},
  { write: () => undefined },
  connectors,
);

afterAll(async () => {
  process.off("worker", note);
  await access.close();
  rmSync(dataDir, { recursive: true, force: true });
});

it("a call starts the simulator of its connector alone, and the store only for a search", async () => {
  await access.execute("github", { entity: "viewer", action: "get", params: {} });
  expect(started).toHaveLength(1);
  expect(liveThreads().map(({ name }) => name)).toEqual(["the thread that simulates a platform"]);
  const params = { query: { filter: { eq: { login: "octocat" } } } };
  const { meta } = await access.execute("github", { entity: "users", action: "context_store_search", params });
  // The command works in any folder, and there is no route.
  const command = `TENON_DATA_DIR=${dataDir} node ${join(import.meta.dirname, "../../../runtime/cli/tenon.js")} sync github`;
  expect(meta).toMatchObject({ warnings: [{ code: "not_synced", message: expect.stringContaining(command) }] });
  const semantic = { prompt: "a bug", field: "body" };
  const byMeaning = access.execute("github", { entity: "issues", action: "context_store_search", params: { semantic } });
  await expect(byMeaning).rejects.toMatchObject({
    code: "semantic_index_not_ready",
    retryAfter: undefined,
    message: expect.stringContaining(command),
  });
  expect(liveThreads().map(({ name }) => name)).toContain("the thread that writes records");
  expect((await access.instances()).map(({ id }) => id).sort()).toEqual(connectors.map(({ name }) => name).sort());
});
