import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { Faults } from "../../../runtime/base/faults.ts";
import { documentText } from "../../../runtime/contract/index.ts";
import { chooseFields } from "../../../runtime/execute/field-choice.ts";
import { Selections } from "../../../runtime/execute/selections.ts";

const operation = github.entities["issues"]?.actions.get?.operation;
if (operation?.kind !== "graphql-get") throw new Error("issues.get is not a GraphQL read");
const { document, record } = operation;
const choiceOf = (fields: readonly string[]) => chooseFields(record, fields, new Faults());

describe("built documents", () => {
  it("are built once for a choice, in whatever order it is written", () => {
    const selections = new Selections();
    const built = selections.get(document, record, choiceOf(["title", "author.login"]));
    expect(selections.get(document, record, choiceOf(["author.login", "title"]))).toBe(built);
    expect(selections.get(document, record, choiceOf(["title"]))).not.toBe(built);
    expect(built.document).toBe(documentText(document, record, choiceOf(["author.login", "title"])));
  });

  it("are kept up to a bound, those in use longest", () => {
    const selections = new Selections();
    const names = Object.keys(record.fields);
    const used = selections.get(document, record, choiceOf(["id"]));
    const unused = selections.get(document, record, choiceOf(["title"]));
    for (let mask = 1; mask < 400; mask++) {
      selections.get(document, record, choiceOf(["number", ...names.filter((_, index) => (mask >> index) & 1)]));
      expect(selections.get(document, record, choiceOf(["id"]))).toBe(used);
    }
    expect(selections.get(document, record, choiceOf(["title"]))).not.toBe(unused);
  });
});
