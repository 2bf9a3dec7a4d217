import { expect, it } from "vitest";
import { onlyField } from "../../../runtime/cli/request/search.ts";

it("a search by meaning takes the only field that there is, and asks for a choice where there are several", () => {
  expect(onlyField([])).toEqual({});
  expect(onlyField(["body"])).toEqual({ field: "body" });
  expect(() => onlyField(["title", "body"])).toThrow("choose one of the fields with --semantic-field: title, body");
});
