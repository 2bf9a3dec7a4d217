import { expect, it } from "vitest";
import { descriptionIn } from "../../../runtime/base/description-text.ts";

const mark = "\uFEFF";

it.each([
  ["in JSON", '{"a": [1]}'],
  ["in JSON behind a byte order mark", `${mark}\n{"a": [1]}`],
  ["in YAML", "a: [1]"],
  ["in YAML behind a byte order mark", `${mark}a: [1]`],
])("reads a description %s", (_what, text) => {
  expect(descriptionIn(text)).toEqual({ a: [1] });
});

it("gives a mapping of YAML what its merge key names", () => {
  const text = "x-shared: &shared { a: 1, b: 2 }\npaths:\n  <<: *shared\n  b: 3\n";
  expect(descriptionIn(text)).toMatchObject({ paths: { a: 1, b: 3 } });
});
