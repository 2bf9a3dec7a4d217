import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Database, unavailable, withReplica } from "../../../runtime/postgres/index.ts";
import { type Sql, sql } from "../../../runtime/sql/index.ts";

/** A database that answers its name, and how far it is behind. */
function fake(name: string) {
  const state = { away: false, behind: 0, isBlind: false };
  const query = async <Row>({ texts }: Sql): Promise<Row[]> => {
    if (state.away) throw unavailable("cannot be reached");
    const isLook = texts.join("").includes("pg_is_in_recovery");
    if (isLook && state.isBlind) throw new Error("permission denied");
    return [isLook ? { seconds: state.behind } : { name }] as Row[];
  };
  const none = async () => Promise.reject(new Error("not used"));
  const database: Database = { connections: 1, query, run: none, transaction: none, alone: none, close: async () => undefined };
  return { state, database };
}

describe("a database with a replica", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("reads from the replica, and from the primary while the replica is away or too old", async () => {
    const [primary, replica] = [fake("primary"), fake("replica")];
    const told: string[] = [];
    const database = withReplica(primary.database, replica.database, (text) => told.push(text));
    const read = async () => (await database.query<{ name: string }>(sql`SELECT name`))[0]?.name;
    /** Time for a look, which a read starts and does not wait for. */
    const later = async () => {
      await vi.advanceTimersByTimeAsync(5_001);
      await read();
      await vi.advanceTimersByTimeAsync(1);
    };
    expect(await read()).toBe("replica");
    replica.state.away = true;
    expect(await read()).toBe("primary");
    replica.state.away = false;
    expect(await read()).toBe("primary");
    await later();
    expect(await read()).toBe("replica");
    replica.state.behind = 31;
    await later();
    expect(await read()).toBe("primary");
    replica.state.behind = 30;
    await later();
    expect(await read()).toBe("replica");
    expect(told).toEqual([
      "searches use the primary, because the replica cannot be used",
      "searches use the replica again",
      "searches use the primary, because the replica is 31 s behind",
      "searches use the replica again",
    ]);
  });

  it("reads from the primary where the replica does not say how old it is", async () => {
    const [primary, replica] = [fake("primary"), fake("replica")];
    replica.state.isBlind = true;
    const told: string[] = [];
    const database = withReplica(primary.database, replica.database, (text) => told.push(text));
    expect(await database.query(sql`SELECT name`)).toEqual([{ name: "primary" }]);
    expect(told).toEqual(["searches use the primary, because the replica cannot be used"]);
  });

  it("throws what is wrong with a statement, and asks nobody else", async () => {
    const [primary, replica] = [fake("primary"), fake("replica")];
    const database = withReplica(primary.database, replica.database, () => undefined);
    await database.query(sql`SELECT name`);
    await expect(database.run(sql`nothing`)).rejects.toThrow("not used");
  });
});
