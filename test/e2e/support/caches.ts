import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Repository } from "../../../runtime/simulated/github/world/repository.ts";
import { type Platform, startPlatform } from "../../support/github/start.ts";
import { type Cache, type CacheOptions, newFolder, openCache } from "./cache.ts";
import { hello } from "./world.ts";

/** What a complete sync has read before the first test of a file. */
interface Synced {
  readonly scopes: readonly string[];
  /** All that the scopes fill, when absent. */
  readonly entities?: readonly string[];
}

/** One platform for all tests of a file, as seeded before each, and caches that are closed after each. */
export interface Caches {
  readonly platform: Platform;
  /** Names of the GraphQL operations of the sync before the first test. */
  readonly syncCalls: readonly string[];
  /** The main repository of the platform, `octocat/hello-world`. */
  repository(): Repository;
  /** Gives so much quota that no test depends on it, as each test has at its beginning. */
  plenty(): void;
  /** A cache in a copy of the folder that was synced before the first test, unless `from` or `dataDir` names another one. */
  open(options?: CacheOptions): Promise<Cache>;
  /** A cache that has nothing yet. */
  openEmpty(options?: Omit<CacheOptions, "from" | "dataDir">): Promise<Cache>;
}

interface Shared {
  /** Absent where every cache of the file begins empty. */
  readonly synced?: Synced;
  /** Takes from the main repository what no test of the file needs, so that less is read for each. */
  readonly shorten?: (repository: Repository) => void;
}

/** @param each options of every cache */
export function useCaches({ synced, shorten = () => undefined, ...each }: CacheOptions & Shared = {}): Caches {
  let started: Platform | undefined;
  let base: string | undefined;
  let syncCalls: readonly string[] = [];
  let opened: Cache[] = [];
  const platform = () => {
    if (started === undefined) throw new Error("nothing runs outside of a test");
    return started;
  };
  const plenty = () => platform().fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
  const openEmpty = async (options: CacheOptions = {}) => {
    const cache = await openCache(platform(), { ...each, ...options });
    opened.push(cache);
    return cache;
  };

  beforeAll(async () => {
    started = await startPlatform();
    shorten(hello(started.world));
    if (synced === undefined) return;
    plenty();
    base = newFolder();
    const cache = await openCache(started, { ...each, dataDir: base });
    const { scopes, ...only } = synced;
    expect((await cache.sync(scopes, only)).outcome).toBe("complete");
    syncCalls = cache.calls;
    await cache.close();
  });
  beforeEach(plenty);
  afterEach(async () => {
    for (const cache of opened) await cache.close();
    opened = [];
    platform().reset();
    shorten(hello(platform().world));
  });
  afterAll(async () => {
    await platform().close();
    if (base !== undefined) rmSync(base, { recursive: true, force: true });
  });

  return {
    get platform() {
      return platform();
    },
    get syncCalls() {
      return syncCalls;
    },
    repository: () => hello(platform().world),
    plenty,
    open: (options = {}) => openEmpty(base === undefined || options.dataDir !== undefined ? options : { from: base, ...options }),
    openEmpty,
  };
}
