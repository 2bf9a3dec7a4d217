import { expect, it } from "vitest";
import { docOf, plural, singular } from "../../../generator/init/draft.ts";

it.each([
  ["issues", "issue"],
  ["companies", "company"],
  ["statuses", "status"],
  ["branches", "branch"],
  ["boxes", "box"],
  ["releases", "release"],
  ["shelves", "shelf"],
  ["bookShelves", "bookShelf"],
  ["book_shelves", "book_shelf"],
  ["Shelves", "Shelf"],
  ["actions_caches", "actions_cache"],
  ["children", "child"],
  ["people", "person"],
  ["series", "series"],
  ["movies", "movie"],
  // Not the plural of a word of its own.
  ["archives", "archive"],
  ["status", "status"],
  ["access", "access"],
])("calls one of %s a %s", (many, one) => {
  expect(singular(many)).toBe(one);
});

it.each([
  ["label", "labels"],
  ["company", "companies"],
  ["day", "days"],
  ["status", "status"],
  ["shelf", "shelves"],
  ["parent_child", "parent_children"],
])("calls several of %s %s", (one, many) => {
  expect(plural(one)).toBe(many);
});

it("the doc of a draft is the first sentence, and cuts a long one between characters", () => {
  expect(docOf("Finds <b>a</b> [book](https://example.com). And more.")).toBe("Finds a book.");
  expect(docOf("\u{1F4D5}".repeat(200))).toBe("\u{1F4D5}".repeat(200));
  for (const before of ["", "a"]) {
    const doc = docOf(`${before}${"\u{1F4D5}".repeat(300)}`);
    expect([doc.isWellFormed(), [...doc].length, doc.at(-1)]).toEqual([true, 200, "…"]);
  }
});
