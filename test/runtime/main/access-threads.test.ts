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
  expect(liveThreads()).toEqual([]);
  const params = { query: { filter: { eq: { login: "octocat" } } } };
  await expect(access.execute("github", { entity: "users", action: "context_store_search", params })).resolves.toBeDefined();
  expect(liveThreads().map(({ name }) => name)).toContain("the thread that writes records");
  expect((await access.instances()).map(({ id }) => id).sort()).toEqual(connectors.map(({ name }) => name).sort());
});
