import { afterEach, describe, expect, it } from "vitest";
import { QuotaHistory } from "../../../runtime/admin/quota-history.ts";
import { Sessions, sessionTime } from "../../../runtime/admin/sessions.ts";
import { SlowSearches } from "../../../runtime/admin/slow-searches.ts";
import type { ConnectorInstance } from "../../../runtime/execute/index.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

// What the operator's page remembers is bounded.

const search = (took: number, at: number) => {
  const names = { caller: "c", instance: "i", entity: "e", outcome: "done", requestId: String(took) };
  return { at, took, ...names };
};

describe("slow searches", () => {
  it("are the fifty slowest of the last hour, the slowest first", () => {
    let now = 0;
    const slow = new SlowSearches(() => now);
    for (let took = 0; took < 100; took++) slow.add(search((took * 37) % 100, now));
    expect(slow.list().map(({ took }) => took)).toEqual(Array.from({ length: 50 }, (_, index) => 99 - index));
    now = 3_600_001;
    slow.add(search(1, now));
    expect(slow.list().map(({ took }) => took)).toEqual([1]);
  });
});

describe("sessions", () => {
  it("end after half an hour, or when they are ended", () => {
    let now = 0;
    const sessions = new Sessions(() => now);
    const [first = "", second = ""] = ["one", "two"].map((token) => sessions.begin("a", token));
    expect(first).not.toBe(second);
    sessions.end(first);
    expect(sessions.tokenOf(first)).toBeUndefined();
    now = sessionTime - 1;
    expect(sessions.tokenOf(second)).toBe("two");
    now = sessionTime;
    expect(sessions.tokenOf(second)).toBeUndefined();
    expect(sessions.tokenOf("nothing")).toBeUndefined();
  });

  it("of a caller who logs in ever again end that caller's oldest ones, and none of anybody else", () => {
    const sessions = new Sessions(() => 0);
    const operator = sessions.begin("operator", "operator's");
    const others = Array.from({ length: 101 }, (_, nth) => sessions.begin("other", `token ${nth}`));
    expect(sessions.tokenOf(operator)).toBe("operator's");
    const open = others.map((id) => sessions.tokenOf(id)).filter((token) => token !== undefined);
    expect(open).toEqual(Array.from({ length: 10 }, (_, nth) => `token ${nth + 91}`));
  });

  it("are bounded over all callers: one more caller is refused until a session ends", () => {
    let now = 0;
    const sessions = new Sessions(() => now);
    const all = Array.from({ length: 1_000 }, (_, nth) => sessions.begin(`caller ${nth}`, `token ${nth}`));
    expect(() => sessions.begin("late", "t")).toThrow(expect.objectContaining({ code: "overloaded" }));
    expect(all.every((id) => sessions.tokenOf(id) !== undefined)).toBe(true);
    // Somebody who has a session may begin another instead of it.
    expect(sessions.tokenOf(sessions.begin("caller 5", "again"))).toBe("again");
    now = sessionTime;
    expect(sessions.tokenOf(sessions.begin("late", "t"))).toBe("t");
  });
});

describe("the history of a quota", () => {
  let history: QuotaHistory;
  afterEach(() => history.close());

  it("has the readings of three hours and what is left now, and forgets an instance that has gone", async () => {
    let left = 0;
    const { instance } = fakeInstance(() => ({}));
    const follow: ConnectorInstance = Object.create(instance, {
      client: { value: { quotaLeft: (bucket: string) => (bucket === "graphql" ? left : undefined) } },
    });
    let there: readonly ConnectorInstance[] = [follow];
    history = new QuotaHistory(
      async () => there,
      () => left,
    );
    for (left = 1; left <= 200; left++) await history.read();
    const kept = history.of(follow, "graphql").map((reading) => reading.left);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([181, 21, 201]);
    expect(history.of(follow, "rest")).toEqual([]);
    there = [];
    await history.read();
    expect(history.of(follow, "graphql")).toHaveLength(1);
  });
});
