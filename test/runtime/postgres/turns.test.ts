import { expect, it } from "vitest";
import { connectionTurns } from "../../../runtime/postgres/pooled-database.ts";
import { sql } from "../../../runtime/sql/index.ts";
import { usePglite } from "../../support/postgres/use-pglite.ts";

const place = usePglite();

it("gives a connection that several wait for to one caller after the other", async () => {
  const gate = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const first = place.database.transaction(async () => {
    holding.resolve();
    await gate.promise;
  });
  await holding.promise;
  const order: string[] = [];
  const given = ["a1", "a2", "a3", "b1", "c1", "b2"];
  const ask = async (name: string) => {
    await place.database.transaction(
      async (queries) => {
        await queries.query(sql`SELECT 1`);
        order.push(name);
      },
      { caller: { id: name.charAt(0), worked: () => undefined } },
    );
  };
  const asked = given.map(ask);
  gate.resolve();
  await Promise.all([first, ...asked]);
  expect(order).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

it("counts the time for which a caller had a connection, not the time for which it waited for one", async () => {
  const began = performance.now();
  const gate = Promise.withResolvers<void>();
  const first = place.database.transaction(() => gate.promise);
  const worked: number[] = [];
  const caller = { id: "a", worked: (ms: number) => void worked.push(ms) };
  let had = 0;
  const next = place.database.transaction(
    async (queries) => {
      had = performance.now();
      await queries.query(sql`SELECT 1`);
    },
    { caller },
  );
  setTimeout(gate.resolve, 200);
  await Promise.all([first, next]);
  const ended = performance.now();
  expect(worked).toHaveLength(1);
  expect(had - began).toBeGreaterThan(190);
  // Its connection came when the first transaction had ended, some moments before its work began.
  expect(worked[0]).toBeLessThan(ended - began - 190);
});

it("gives the connection on when those who wait for it leave", async () => {
  const gate = Promise.withResolvers<void>();
  const first = place.database.transaction(() => gate.promise);
  const leaving = new AbortController();
  const left = place.database.query(sql`SELECT 1`, { signal: leaving.signal });
  const late = place.database.query(sql`SELECT 1`, { deadline: performance.now() + 5 });
  const next = place.database.query(sql`SELECT 2 AS two`);
  leaving.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  await expect(late).rejects.toMatchObject({ code: "database_unavailable" });
  gate.resolve();
  await first;
  expect(await next).toEqual([{ two: 2 }]);
});

it("refuses the newest of the caller who has most waiting, and lends no connection twice", async () => {
  const turns = connectionTurns(1, 2);
  const [first, a1, a2, b1] = ["x", "a", "a", "b"].map((caller) => turns.take(caller));
  if (first === undefined || a1 === undefined || a2 === undefined || b1 === undefined) throw new Error("no turn");
  await first.come;
  await expect(a2.come).rejects.toMatchObject({ code: "overloaded" });
  a2.end();
  expect([a1.here, b1.here]).toEqual([false, false]);
  first.end();
  first.end();
  expect([a1.here, b1.here]).toEqual([true, false]);
  a1.end();
  b1.end();
  expect([turns.take("c").here, turns.take("c").here]).toEqual([true, false]);
});

it("leaves one connection to others, however many a caller wants, and the service itself may have all", async () => {
  const turns = connectionTurns(3, 10);
  const [a1, a2, a3, a4] = ["a", "a", "a", "a"].map((caller) => turns.take(caller));
  const b = turns.take("b");
  expect([a1, a2, a3, a4, b].map((turn) => turn?.here)).toEqual([true, true, false, false, true]);
  b.end();
  expect([a3, a4].map((turn) => turn?.here)).toEqual([false, false]);
  a1?.end();
  expect([a3, a4].map((turn) => turn?.here)).toEqual([true, false]);
  const others = connectionTurns(3, 10);
  expect(["", "", ""].map((caller) => others.take(caller).here)).toEqual([true, true, true]);
});
