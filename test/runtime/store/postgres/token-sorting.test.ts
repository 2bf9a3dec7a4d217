import { describe, expect, it } from "vitest";
import { TenonError } from "../../../../runtime/base/errors.ts";
import type { Database } from "../../../../runtime/postgres/index.ts";
import { statementOf } from "../../../../runtime/sql/index.ts";
import { layoutOf } from "../../../../runtime/store/postgres/tables/layout.ts";
import { TokenSorting } from "../../../../runtime/store/postgres/tables/token-sorting.ts";

const layout = layoutOf("test", "things", {
  key: ["id"],
  fields: { id: { type: "string", index: "exact" }, title: { type: "string", index: "name", nullable: true } },
});
const ofTokens = layout.indexes.filter(({ parts }) => parts !== undefined).map(({ name }) => name);
const all = [...ofTokens, layout.parts.name];

/** A server that sorts only when the test says so. */
function makeServer(connections = 10) {
  const sorted: unknown[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const never = () => Promise.reject(new Error("only sorting was expected"));
  const database: Database = {
    connections,
    ...{ query: never, run: never, transaction: never, close: never },
    alone: (statement) => {
      const { text, values } = statementOf(statement);
      expect(text).toContain("gin_clean_pending_list");
      sorted.push(values[0]);
      const one = Promise.withResolvers<void>();
      waiting.push(one);
      return one.promise;
    },
  };
  /** Lets the statement that runs end, and waits until what follows it has begun. */
  const next = async (failure?: Error) => {
    const one = waiting.shift();
    if (failure === undefined) one?.resolve();
    else one?.reject(failure);
    await new Promise(setImmediate);
  };
  return { database, sorted, next };
}

const forbidden = Object.assign(new Error("must be owner of index"), { severity: "ERROR", code: "42501" });

describe("sorting tokens beside a sync", () => {
  const setUp = (connections?: number) => {
    const server = makeServer(connections);
    const end = new AbortController();
    return { ...server, end, sorting: new TokenSorting({ database: server.database, signal: end.signal, least: 10 }) };
  };

  it("begins when enough rows were written, sorts each index, and again what came meanwhile", async () => {
    const { sorting, sorted, next } = setUp();
    sorting.wrote(layout, 9);
    expect(sorted).toEqual([]);
    sorting.wrote(layout, 1);
    expect(sorted).toEqual(all.slice(0, 1));
    sorting.wrote(layout, 30);
    await next();
    expect(sorted).toEqual(all);
    await next();
    expect(sorted).toEqual([...all, ...all.slice(0, 1)]);
    await next();
    await next();
    await sorting.ended();
    expect(sorted).toEqual([...all, ...all]);
  });

  it("ends before indexes are dropped, or a run sorts all", async () => {
    const { sorting, sorted, next } = setUp();
    sorting.wrote(layout, 10);
    const order: string[] = [];
    const settled = sorting.settled(layout).then(() => order.push("settled"));
    const finished = sorting.finish(layout).then(() => order.push("finished"));
    await next();
    expect(order).toEqual([]);
    await next();
    await settled;
    expect(order).toEqual(["settled"]);
    await next();
    await next();
    await finished;
    expect(sorted).toEqual([...all, ...all]);
  });

  it("goes on after a failure, but not where the user may not sort", async () => {
    const { sorting, sorted, next } = setUp();
    sorting.wrote(layout, 10);
    await next(new TenonError("database_unavailable", "The database cannot be reached."));
    sorting.wrote(layout, 10);
    expect(sorted).toHaveLength(2);
    expect(sorting.mayWait).toBe(16_384);
    await next(new TenonError("database_unavailable", "The database does not permit it.", { cause: forbidden }));
    // A search reads what waits, and now only the engine sorts it.
    expect(sorting.mayWait).toBe(4_096);
    sorting.wrote(layout, 10);
    await sorting.finish(layout);
    expect(sorted).toHaveLength(2);
  });

  it("leaves a small number of connections to others, and begins nothing after the end", async () => {
    const few = setUp(3);
    few.sorting.wrote(layout, 10);
    expect(few.sorting.mayWait).toBe(4_096);
    const ended = setUp();
    ended.end.abort();
    ended.sorting.wrote(layout, 10);
    await Promise.all([few.sorting.ended(), ended.sorting.ended()]);
    expect([few.sorted, ended.sorted]).toEqual([[], []]);
  });
});
