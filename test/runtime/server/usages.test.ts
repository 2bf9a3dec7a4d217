import { describe, expect, it } from "vitest";
import { type CallerLimits, fullGrant } from "../../../runtime/accounts/index.ts";
import { Usages } from "../../../runtime/server/limits/usages.ts";

const caller = (id: string, limits?: CallerLimits) => ({ id, name: id, grant: { ...fullGrant, ...(limits ? { limits } : {}) } });
const operator = { ...caller("operator"), isOperator: true } as const;

function budgets(usual: CallerLimits, ofOperator: CallerLimits = {}) {
  const clock = { now: 0 };
  return { clock, usages: new Usages(usual, ofOperator, { now: () => clock.now }) };
}

const refusal = (retryAfter: number) => expect.objectContaining({ code: "too_many_requests", retryAfter });

describe("the limits of a caller", () => {
  it("refuse requests beyond those of a minute, which come back evenly", async () => {
    const { clock, usages } = budgets({ requests: 60 });
    const usage = usages.of(caller("a"));
    for (let count = 0; count < 60; count++) (await usage.begin())();
    await expect(usage.begin()).rejects.toThrow(refusal(1));
    expect(usage.requests).toEqual({ limit: 60, left: 0, reset: 60 });
    clock.now = 2_000;
    (await usage.begin())();
    (await usage.begin())();
    await expect(usage.begin()).rejects.toThrow(refusal(1));
    clock.now = 120_000;
    expect(usage.requests).toEqual({ limit: 60, left: 60, reset: 0 });
  });

  it("let a caller use a sixth of a minute's processor time at once, and the rest as it comes back", () => {
    const { clock, usages } = budgets({ cpuSeconds: 6 });
    const usage = usages.of(caller("a"));
    const check = () => usage.checkOwn({ bodyMib: 0, cpuSeconds: 0.01 });
    usage.spend("cpuSeconds", 0.98);
    check();
    usage.spend("cpuSeconds", 0.02);
    expect(check).toThrow(refusal(1));
    clock.now = 100;
    check();
    // However long nothing is used, no more than the sixth comes together.
    clock.now = 600_000;
    usage.spend("cpuSeconds", 1);
    expect(check).toThrow(refusal(1));
  });

  it("refuse requests at once, and take none from the minute for it", async () => {
    const { usages } = budgets({ requests: 10, concurrent: 2 });
    const usage = usages.of(caller("a"));
    const [first] = [await usage.begin(), await usage.begin()];
    await expect(usage.begin()).rejects.toThrow(refusal(1));
    expect(usage.requests?.left).toBe(8);
    first?.();
    await usage.begin();
  });

  it("count afterwards what cannot be known before, so that the next one waits for all of it", async () => {
    const { clock, usages } = budgets({ points: 60 });
    const usage = usages.of(caller("a"));
    await usage.check("points");
    usage.spend("points", 90);
    await expect(usage.check("points")).rejects.toThrow(refusal(31));
    clock.now = 30_999;
    await expect(usage.check("points")).rejects.toThrow(refusal(1));
    clock.now = 31_000;
    await usage.check("points");
  });

  it("are those of the caller before the usual ones, and the operator's are apart", async () => {
    const { usages } = budgets({ requests: 5, writes: 5 }, { writes: 1 });
    expect(usages.of(caller("a", { requests: 7 })).requests?.limit).toBe(7);
    expect(usages.of(caller("b")).requests?.limit).toBe(5);
    expect(usages.of(operator).requests).toBeUndefined();
    await usages.of(operator).take("writes", 1);
    await expect(usages.of(operator).take("writes", 1)).rejects.toThrow(refusal(60));
  });

  it("are kept for each caller apart, and begin anew when they are changed", async () => {
    const { usages } = budgets({ requests: 1 });
    await usages.of(caller("a")).begin();
    await expect(usages.of(caller("a")).begin()).rejects.toThrow();
    await usages.of(caller("b")).begin();
    await usages.of(caller("a", { requests: 2 })).begin();
  });

  it("forget callers who use nothing, and only these", async () => {
    const { clock, usages } = budgets({ requests: 1 });
    await usages.of(caller("kept")).begin();
    for (let count = 0; count < 20_000; count++) {
      clock.now = count / 1000;
      usages.of(caller(`other ${count}`));
    }
    await expect(usages.of(caller("kept")).begin()).rejects.toThrow();
  });

  it("show who is nearest to one of them, and the largest part of each first", async () => {
    const { usages } = budgets({ requests: 100, writes: 10, concurrent: 2 });
    usages.of(caller("idle"));
    usages.of(caller("little")).spend("requests", 5);
    const much = usages.of(caller("much"));
    much.spend("requests", 30);
    much.spend("writes", 8);
    const end = await usages.of(caller("some")).begin();
    usages.of(caller("some")).spend("requests", 59);
    const parts = (most: number) =>
      usages.nearest(most).map(({ caller, used }) => [caller, ...used.map(({ used, limit }) => `${Math.round(used)}/${limit}`)]);
    const all = [
      ["much", "8/10", "30/100"],
      ["some", "60/100", "1/2"],
      ["little", "5/100"],
    ];
    expect([parts(2), parts(9)]).toEqual([all.slice(0, 2), all]);
    const named = usages.nearest(2).map(({ used }) => used.map(({ what }) => what));
    expect(named).toEqual([
      [expect.stringContaining("writes"), expect.stringContaining("requests")],
      [expect.stringContaining("requests"), expect.stringContaining("at once")],
    ]);
    end();
  });
});
