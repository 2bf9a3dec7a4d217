import { afterAll, beforeAll, expect } from "vitest";
import type { Database } from "../../../runtime/postgres/index.ts";
import { ownerToken } from "../../../runtime/simulated/github/tokens.ts";
import { type Platform, startPlatform } from "../../support/github/start.ts";
import { startOnServer } from "../../support/postgres/server.ts";
import type { TestDatabase } from "../../support/postgres/test-database.ts";
import { authorized, executePath, type Reply, startTenon, type Tenon } from "./service.ts";

/** Services over one PostgreSQL database and one platform, for all tests of a block. */
export interface Services {
  readonly platform: Platform;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly all: readonly Tenon[];
  /** Starts one more service, which the test has to close. */
  start(): Promise<Tenon>;
  /** Sends an action to one of the services, in turn where the index is larger than their number. */
  send(index: number, body: object, headers?: Readonly<Record<string, string>>): Promise<Reply>;
}

/** Starts so many services, which make the tables at the same time. In the end, none of their logs has the password of the database. */
export function useServices(count: number, secretKey: readonly string[]): Services {
  let running: { place: TestDatabase; database: Database; platform: Platform; all: Tenon[] } | undefined;
  const get = () => {
    if (running === undefined) throw new Error("nothing runs outside of a test");
    return running;
  };
  const optionsOf = (place: TestDatabase) => ({ secretKey, databaseUrl: place.url ?? "" });
  beforeAll(async () => {
    const [place, platform] = await Promise.all([startOnServer(), startPlatform()]);
    await readSchema(platform);
    const all = await Promise.all(Array.from({ length: count }, () => startTenon(platform, optionsOf(place))));
    running = { place, platform, all, database: place.open() };
  });
  afterAll(async () => {
    const { place, database, platform, all } = get();
    await Promise.all(all.map(({ service }) => service.close()));
    await platform.close();
    await database.close();
    await place.close();
    const { password } = new URL(place.url ?? "");
    for (const { log } of all) expect(log.join("")).not.toContain(password);
  });
  return {
    get platform() {
      return get().platform;
    },
    get database() {
      return get().database;
    },
    get databaseUrl() {
      return get().place.url ?? "";
    },
    get all() {
      return get().all;
    },
    start: () => startTenon(get().platform, optionsOf(get().place)),
    send: (index, body, headers = {}) => {
      const service = get().all[index % count];
      return service?.send("POST", executePath, JSON.stringify(body), { ...authorized, ...headers }) ?? Promise.reject();
    },
  };
}

/** The first call makes the platform read its schema. A service would give up a call that takes so long, and send it again. */
async function readSchema(platform: Platform): Promise<void> {
  const headers = { authorization: `Bearer ${ownerToken}` };
  await fetch(platform.graphqlUrl, { method: "POST", headers, body: JSON.stringify({ query: "{ viewer { login } }" }) });
  platform.reset();
}
