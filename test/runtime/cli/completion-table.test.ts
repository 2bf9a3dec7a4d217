import { expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { tableOf } from "../../../runtime/cli/completion/completion-table.ts";

it("has the names of a connector that completion gives, also of an entity that no one searches by meaning", async () => {
  const { github: names } = await tableOf([github]);
  expect(names?.scopes).toEqual(expect.arrayContaining(["account", "repository="]));
  expect(names?.entities["issues"]).toMatchObject({ record: "Issue", synced: true, semantic: ["body"] });
  expect(names?.entities["labels"]).toMatchObject({ record: "Label", synced: true, semantic: [] });
  expect(names?.entities["issues"]?.actions["list"]).toMatchObject({ states: ["CLOSED", "OPEN"], repo: [] });
  expect(names?.types["Issue"]).toMatchObject({ title: "" });
});
