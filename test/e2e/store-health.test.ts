import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { newFolder } from "./support/cache.ts";
import { startTenon, type Tenon } from "./support/service.ts";

let platform: Platform;
let tenon: Tenon;
let dataDir: string;
beforeAll(async () => {
  dataDir = newFolder();
  platform = await startPlatform();
  tenon = await startTenon(platform, { dataDir });
  await tenon.service.ready;
});
afterAll(async () => {
  await tenon.service.close();
  await platform.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const readiness = async () => (await fetch(`${tenon.service.url}/readyz`)).status;

it("the service is ready, and no longer when the file of its cache was deleted", async () => {
  await vi.waitFor(async () => expect(await readiness()).toBe(200), { timeout: 60_000, interval: 50 });
  rmSync(join(dataDir, "context-store.sqlite"));
  await vi.waitFor(async () => expect(await readiness()).toBe(503), { timeout: 60_000, interval: 50 });
});
