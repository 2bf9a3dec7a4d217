import { expect, it } from "vitest";
import { readTrouble, troubleProblem } from "../../../runtime/simulator/hook-trouble.ts";

it.each([
  [undefined, { late: 0, twice: 0, lost: 0 }],
  ["", { late: 0, twice: 0, lost: 0 }],
  ["late:0", { late: 0, twice: 0, lost: 0 }],
  ["late:3600000,lost:1", { late: 3_600_000, twice: 0, lost: 1 }],
  ["twice:0.5,", { late: 0, twice: 0.5, lost: 0 }],
])("the trouble %j of webhooks is read", (text, trouble) => {
  expect(readTrouble({ SIMULATOR_WEBHOOKS: text })).toEqual(trouble);
  expect(troubleProblem({ SIMULATOR_WEBHOOKS: text })).toBeUndefined();
});

it.each(["late:3600001", "twice:1.5", "lost:-0.1", "lost:", "late", "late:soon", "early:1", "toString:1"])(
  "the trouble %j of webhooks is refused",
  (text) => {
    const environment = { SIMULATOR_WEBHOOKS: `lost:0.1,${text}` };
    const problem = `SIMULATOR_WEBHOOKS has "${text}": it takes late:<milliseconds, at most 3600000>, twice:<0 to 1> and lost:<0 to 1>`;
    expect(troubleProblem(environment)).toBe(problem);
    expect(() => readTrouble(environment)).toThrow(problem);
  },
);
