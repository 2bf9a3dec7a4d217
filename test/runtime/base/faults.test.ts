import { describe, expect, it } from "vitest";
import { maxFaults } from "../../../runtime/base/errors.ts";
import { Faults } from "../../../runtime/base/faults.ts";

describe("the faults of a request", () => {
  it("have a pointer, and where a name or a value is not allowed what is, with the nearest of them", () => {
    const faults = new Faults();
    faults.add(["params", "a/b", 3], "wrong_type", "It must be a string.");
    faults.unknown(["entity"], "unknown_entity", "There is no such entity.", "isues", ["issues", "labels"]);
    faults.notAllowed(["params", "states", 0], "It must be one of OPEN, CLOSED, null.", "open", ["OPEN", "CLOSED", null]);
    faults.notAllowed(["params", "x"], "It must be one of 1, 2.", "open", [1, 2]);
    expect(faults.list).toEqual([
      { pointer: "/params/a~1b/3", code: "wrong_type", message: "It must be a string." },
      {
        pointer: "/entity",
        code: "unknown_entity",
        message: "There is no such entity.",
        allowed: ["issues", "labels"],
        suggestion: "issues",
      },
      {
        pointer: "/params/states/0",
        code: "not_allowed",
        message: "It must be one of OPEN, CLOSED, null.",
        allowed: ["OPEN", "CLOSED", null],
        suggestion: "OPEN",
      },
      { pointer: "/params/x", code: "not_allowed", message: "It must be one of 1, 2.", allowed: [1, 2] },
    ]);
  });

  it("are bounded, and names behind the bound are not compared", () => {
    const faults = new Faults();
    const given = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`name${index}`, 1]));
    let asked = 0;
    faults.unknownNames([], "unknown_member", { known: 1, ...given }, ["known"], () => {
      asked++;
      return "There is no such member.";
    });
    expect([faults.list.length, asked, faults.full]).toEqual([maxFaults, maxFaults, true]);
    faults.add([], "late", "One too many.");
    expect(faults.list.length).toBe(maxFaults);
  });

  it("end the reading of what comes after the last that is reported", () => {
    const faults = new Faults();
    const looked: number[] = [];
    const read = faults.each(
      Array.from({ length: 60_000 }, (_, index) => index),
      (index) => {
        looked.push(index);
        if (index % 2 === 0) return [index];
        faults.add([index], "odd", "It must be even.");
        return [];
      },
    );
    expect(looked).toHaveLength(2 * maxFaults);
    expect(read).toHaveLength(maxFaults);
  });
});
