import { describe, expect, it } from "vitest";
import { failureLimit } from "../../../runtime/server/callers/attempt-limit.ts";

describe("the limit of failures", () => {
  it("refuses the 21st of an address within a minute, and says when the minute ends", () => {
    let now = 0;
    const limit = failureLimit(() => now);
    for (let count = 0; count < 20; count++) limit.count("a");
    now = 30_500;
    expect(() => limit.count("a")).toThrow(expect.objectContaining({ code: "too_many_requests", retryAfter: 30 }));
    limit.count("b");
    now = 60_000;
    limit.count("a");
  });

  it("remembers a bounded number of addresses", () => {
    const limit = failureLimit(() => 0);
    for (let count = 0; count < 20; count++) limit.count("a");
    for (let address = 0; address < 10_000; address++) limit.count(`other ${address}`);
    limit.count("a");
  });
});
