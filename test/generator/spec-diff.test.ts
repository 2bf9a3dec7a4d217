import { describe, expect, it } from "vitest";
import { Results } from "../../generator/cache/results.ts";
import { SpecChanges } from "../../generator/diff/change.ts";
import { compareParams } from "../../generator/diff/params.ts";
import type { SpecFolder } from "../../generator/model/connector.ts";
import type { ParamModel } from "../../generator/model/types.ts";
import { diffSpecs } from "../../generator/spec-diff.ts";
import { githubFolder } from "../support/specs.ts";

const original = githubFolder();
/** Documents and files that are the same in most versions are checked once. */
const results = new Results();

/** The GitHub spec with texts of some files replaced. */
function changed(changes: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>): SpecFolder {
  const files = Object.fromEntries(
    Object.entries(changes).map(([name, pairs]) => {
      let text = original.files.find(({ path }) => path.endsWith(`/${name}`))?.text ?? "";
      for (const [from, to] of pairs) {
        if (!text.includes(from)) throw new Error(`${name} has no "${from}"`);
        text = text.replace(from, to);
      }
      return [name, text];
    }),
  );
  return githubFolder(files);
}

function diff(after: SpecFolder, before: SpecFolder = original): string[] {
  const { changes, diagnostics } = diffSpecs([before], [after], results);
  expect(diagnostics).toEqual([]);
  return changes.map(({ kind, path, message }) => `${kind} | ${path} | ${message}`);
}

describe("the difference between two versions of specs", () => {
  it("is nothing between a version and itself", () => {
    expect(diff(githubFolder())).toEqual([]);
  });

  it("is documentation where only texts differ", () => {
    const after = changed({
      "labels.yaml": [["doc: Labels of a repository.", "doc: The labels of a repository."]],
      "connector.yaml": [["doc: Login of the organization., ", "doc: The organization., "]],
    });
    const found = diff(after);
    expect(found).toContain("documentation | github labels | its text differs");
    expect(found.every((one) => one.startsWith("documentation"))).toBe(true);
  });

  it("breaks callers where a parameter becomes required or narrower, and not the other way round", () => {
    const narrower = changed({
      "issues.yaml": [
        ['      body:\n      labels: { doc: "Names', '      body: { required: true, doc: Text. }\n      labels: { doc: "Names'],
      ],
      "connector.yaml": [
        ["repo: { type: string, required: true, length: [1, 100]", "repo: { type: string, required: true, length: [1, 50]"],
      ],
    });
    const forward = diff(narrower);
    expect(forward).toContain("breaking | github issues.create body | is now required");
    expect(forward).toContain("breaking | github issues.get repo | its length was 1 to 100, now 1 to 50");
    const back = diff(original, narrower);
    expect(back).toContain("compatible | github issues.create body | may now be left out");
    expect(back).toContain("compatible | github issues.get repo | its length was 1 to 50, now 1 to 100");
    expect(back.filter((one) => one.startsWith("breaking"))).toEqual([]);
  });

  it("breaks callers where an entity, an action, a field or a value is gone, and not where one is new", () => {
    const { files } = original;
    const without = { ...original, files: files.filter(({ path }) => !path.endsWith("viewer.yaml")) };
    expect(diff(without)).toContain("breaking | github viewer | entity removed");
    const back = diff(original, without);
    expect(back).toContain("compatible | github viewer | entity added");
    expect(back.filter((one) => one.startsWith("breaking"))).toEqual([]);
  });

  it("breaks callers where a value is refused that was allowed before", () => {
    const after = changed({
      "issues.yaml": [["allow: { state_reason: [completed, not_planned] }", "allow: { state_reason: [completed] }"]],
    });
    expect(diff(after)).toContain("breaking | github issues.update with state closed state_reason not_planned | value removed");
  });

  it("is not printed where a version has problems, which are printed instead", () => {
    const wrong = changed({ "labels.yaml": [["doc: Labels of a repository.", ""]] });
    const { changes, diagnostics } = diffSpecs([original], [wrong]);
    expect(changes).toEqual([]);
    expect(diagnostics.length).toBeGreaterThan(0);
  });
});

describe("the difference between the members of two parameters", () => {
  const text = {
    name: "city",
    doc: "City.",
    type: { kind: "scalar", name: "string", list: false, nullable: false },
    required: false,
  } as const;
  const object = { ...text, name: "address", type: { ...text.type, name: "object" } } as const;
  const differences = (before: ParamModel, after: ParamModel) => {
    const changes = new SpecChanges("create");
    compareParams("parameter", [before], [after], changes);
    return changes.sorted().map(({ kind, path, message }) => `${kind} | ${path} | ${message}`);
  };

  it("is printed member by member", () => {
    const before = { ...object, members: [text, { ...text, name: "zip" }] };
    const after = {
      ...object,
      members: [
        { ...text, required: true },
        { ...text, name: "state" },
      ],
    };
    expect(differences(before, after)).toEqual([
      "breaking | create address.city | is now required",
      "breaking | create address.zip | member removed",
      "compatible | create address.state | member added",
    ]);
  });

  it("says what a default was and what it is now", () => {
    expect(differences({ ...text, default: "Rome" }, { ...text, default: "Paris" })).toEqual([
      'breaking | create city | its default changed from "Rome" to "Paris"',
    ]);
    expect(differences(text, { ...text, default: "Paris" })).toEqual([
      'breaking | create city | its default changed from absent to "Paris"',
    ]);
  });

  it("breaks callers where any object was accepted before", () => {
    expect(differences(object, { ...object, members: [text] })).toEqual([
      "breaking | create address | now takes only some members",
    ]);
    expect(differences({ ...object, members: [text] }, object)).toEqual(["compatible | create address | now takes every member"]);
  });
});
