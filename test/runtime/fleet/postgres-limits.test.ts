import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ask, LimitRules } from "../../../runtime/fleet/index.ts";
import { postgresLimits } from "../../../runtime/fleet/postgres/postgres-limits.ts";
import type { Database } from "../../../runtime/postgres/index.ts";
import { sql } from "../../../runtime/sql/index.ts";
import { engines } from "../../support/postgres/engines.ts";
import type { TestDatabase } from "../../support/postgres/test-database.ts";

const rules: LimitRules = {
  rates: { points: { limit: 100, span: 60_000, refill: "sliding" } },
  slots: { calls: { limit: 6 } },
  budgets: [],
};
const ask = (owner: string, points: number): Ask => ({
  ...{
    owner,
    slice: 0,
    spent: {},
    extra: {},
    running: {},
    reports: {},
    lost: {},
    wait: 0,
    waits: {},
    accepted: false,
    likely: [],
  },
  wanted: [{ need: { points: 1 }, times: points }],
});

describe.each(engines)("limits on $name", ({ start }) => {
  let place: TestDatabase;
  let databases: Database[];
  beforeAll(async () => {
    place = await start();
    databases = [place.open(), place.open(), place.open()];
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.close()));
    await place.close();
  });

  it("are those of all processes together, of which each may be the first", async () => {
    const processes = databases.map(postgresLimits);
    const slices = await Promise.all(
      Array.from({ length: 30 }, (_, index) => processes[index % 3]?.renew("together", rules, ask(`owner ${index}`, 7))),
    );
    const given = slices.map((slice) => slice?.given["points"] ?? 0);
    expect(given.reduce((sum, amount) => sum + amount, 0)).toBe(100);
    expect(slices.at(-1)?.owners).toBeLessThanOrEqual(30);
    const other = await processes[0]?.renew("apart", rules, ask("owner", 100));
    expect(other?.given).toEqual({ points: 100 });
  });

  it("are forgotten when nobody has used them for two hours", async () => {
    const [database] = databases as [Database];
    await postgresLimits(database).renew("old", rules, ask("a", 1));
    await database.run(sql`UPDATE fleet_limits SET at = at - 7200001 WHERE key = 'old'`);
    await postgresLimits(database).renew("new", rules, ask("a", 1));
    const keys = async () => {
      const rows = await database.query<{ readonly key: string }>(sql`SELECT key FROM fleet_limits ORDER BY key`);
      return rows.map(({ key }) => key);
    };
    await expect.poll(keys).not.toContain("old");
    expect(await keys()).toContain("new");
  });
});
