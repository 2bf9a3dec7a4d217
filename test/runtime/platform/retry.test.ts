import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { TenonError } from "../../../runtime/base/errors.ts";
import { waitForRetry } from "../../../runtime/platform/retry.ts";

const heavy = { kind: "heavy", error: new TenonError("platform_too_complex", "Too much at once.") } as const;
const context = {
  signal: new AbortController().signal,
  deadline: performance.now() + 600_000,
  log: pino({ level: "silent" }),
  requestId: "r",
};

describe("a call that the platform refuses because of its limits", () => {
  const limited = (wait?: number) =>
    ({ kind: "limited", ...(wait === undefined ? {} : { wait }) }) as Parameters<typeof waitForRetry>[1];

  it("is sent four times at most", async () => {
    for (const tries of [1, 2, 3, 4]) await waitForRetry("GitHub", limited(60_000), tries, false, context);
    await expect(waitForRetry("GitHub", limited(60_000), 5, false, context)).rejects.toMatchObject({
      code: "rate_limited",
      message: "GitHub keeps refusing calls because of its rate limits.",
    });
  });

  it.each([
    [90_001, 91],
    [10, 1],
    [undefined, 1],
  ])("may be repeated after what the platform said (%s ms), and a second at least", async (wait, retryAfter) => {
    await expect(waitForRetry("GitHub", limited(wait), 5, false, context)).rejects.toMatchObject({ retryAfter });
  });
});

describe("a call that is too expensive for the platform", () => {
  it("is sent again at once for as long as it asks for less, and not for ever", async () => {
    let tries = 1;
    const again = async () => {
      for (; ; tries++) await waitForRetry("GitHub", heavy, tries, true, context);
    };
    await expect(again()).rejects.toMatchObject({ code: "platform_too_complex" });
    expect(tries).toBeGreaterThan(7);
    expect(tries).toBeLessThan(50);
  });

  it("is not sent again when it cannot ask for less, or after its deadline", async () => {
    await expect(waitForRetry("GitHub", heavy, 1, false, context)).rejects.toMatchObject({ code: "platform_too_complex" });
    const late = { ...context, deadline: performance.now() - 1 };
    await expect(waitForRetry("GitHub", heavy, 1, true, late)).rejects.toMatchObject({ code: "deadline_exceeded" });
  });
});
