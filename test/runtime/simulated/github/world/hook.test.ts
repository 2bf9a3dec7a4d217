import { expect, it } from "vitest";
import { readTrouble } from "../../../../../runtime/simulated/github/world/hook.ts";

it.each([
  ["", { late: 0, twice: 0, lost: 0 }],
  ["late:0", { late: 0, twice: 0, lost: 0 }],
  ["late:3600000,lost:1", { late: 3_600_000, twice: 0, lost: 1 }],
  ["twice:0.5,", { late: 0, twice: 0.5, lost: 0 }],
])("the trouble %j of webhooks is read", (text, trouble) => {
  expect(readTrouble(text)).toEqual(trouble);
});

it.each(["late:3600001", "twice:1.5", "lost:-0.1", "lost:", "late", "late:soon", "early:1", "toString:1"])(
  "the trouble %j of webhooks is refused",
  (text) => {
    expect(() => readTrouble(`lost:0.1,${text}`)).toThrow(
      `SIMULATOR_WEBHOOKS has "${text}": it takes late:<milliseconds>, twice:<0 to 1> and lost:<0 to 1>`,
    );
  },
);
