import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountStore } from "../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../runtime/accounts/postgres/postgres-account-store.ts";
import { type Database, openDatabase } from "../../runtime/postgres/index.ts";
import { sql } from "../../runtime/sql/index.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { type ChaosFault, type ChaosPlace, makeChaosPlace, postgresPrograms, serverFaults } from "./support/chaos.ts";
import { pause } from "./support/service.ts";

// Everything that can break between processes and a durable PostgreSQL server breaks at random moments, under load.

const rounds = Number(process.env["TENON_TEST_CHAOS"] ?? 2);
const childFile = fileURLToPath(new URL("./support/chaos-child.ts", import.meta.url));

describe.skipIf(postgresPrograms === undefined)("accounts in a PostgreSQL server that breaks", () => {
  let place: ChaosPlace;
  /** Through the proxy, and past it. */
  let database: Database;
  let direct: Database;
  let store: AccountStore;
  let faults: readonly ChaosFault[] = [];
  beforeAll(async () => {
    place = await makeChaosPlace(false);
    direct = place.direct;
    database = openDatabase(place.url, { connections: 4 });
    store = openPostgresAccounts(database);
    await store.open();
    faults = serverFaults(place);
  });
  afterAll(async () => {
    await database.close();
    await place.close();
  });

  const cases = Array.from({ length: rounds }, (_, round) => round);
  it.each(cases)("round %i loses nothing, and does nothing twice", async (round) => {
    const [name, fault] = faults[round % faults.length] ?? ["", () => undefined];
    const acknowledged: string[] = [];
    const refused: unknown[] = [];
    let going = true;
    let serial = 0;
    const entry = (target: string) => ({
      at: Date.now(),
      caller: "chaos",
      action: "change",
      outcome: "done",
      times: 1,
      requestId: null,
      intent: null,
      target,
    });
    const write = async () => {
      while (going) {
        const id = `${round}-${serial++}`;
        const begun = { caller: "chaos", key: id, request: "r", owner: `owner of ${id}`, begunAt: Date.now() };
        try {
          // Undefined says that nobody has begun this write: nobody has, whatever happened to the connection.
          expect(await store.beginWrite(begun, 0)).toBeUndefined();
          await store.audit([entry(id)]);
          acknowledged.push(id);
        } catch (thrown) {
          refused.push(thrown);
        }
      }
    };
    const child = endsWithTests(
      spawn(process.execPath, [childFile, place.cluster.url("postgres"), `${round}-child`], {
        stdio: ["ignore", "pipe", "inherit"],
      }),
    );
    child.stdout.on("data", (data) => acknowledged.push(...String(data).trim().split("\n")));
    const writers = [write(), write(), write()];
    await once(child.stdout, "data");
    await fault();
    const back = performance.now();
    await pause(50 + Math.random() * 300);
    child.kill("SIGKILL");
    await once(child, "close");
    await expect
      .poll(
        () =>
          store.audit([entry(`${round}-back`)]).then(
            () => true,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true);
    const away = performance.now() - back;
    going = false;
    await Promise.all(writers);
    for (const thrown of refused)
      expect(thrown).toMatchObject({ code: expect.stringMatching(/^(database_unavailable|overloaded)$/) });
    const rows = await direct.query<{ target: string; count: number }>(
      sql`SELECT target, count(*) AS count FROM account_audit WHERE target LIKE ${`${round}-%`} GROUP BY target`,
    );
    const stored = new Map(rows.map((row) => [row.target, row.count]));
    expect(
      acknowledged.filter((id) => !stored.has(id)),
      "acknowledged and lost",
    ).toEqual([]);
    expect(
      [...stored].filter(([, count]) => count > 1),
      "done twice",
    ).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(0);
    if (rounds > faults.length)
      console.log(`${name}: ${acknowledged.length} acknowledged, ${refused.length} refused, back after ${Math.round(away)} ms`);
  });
});
