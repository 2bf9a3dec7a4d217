import { expect, it } from "vitest";
import { busyText } from "../bench/quiet.ts";

// Figures of the front page are recorded only on a quiet machine.

it.each([
  ["an idle machine", { busy: 10, idle: 3_990 }, undefined],
  ["a quarter of a core", { busy: 500, idle: 3_500 }, undefined],
  ["one busy core", { busy: 2_000, idle: 2_000 }, "other programs use 1.0 cores"],
  ["more programs than cores", { busy: 4_000, idle: 0 }, "other programs use 2.0 cores"],
])("%s", (_name, after, refused) => {
  const text = busyText({ busy: 0, idle: 0 }, after, 2);
  if (refused === undefined) expect(text).toBeUndefined();
  else expect(text).toContain(refused);
});
