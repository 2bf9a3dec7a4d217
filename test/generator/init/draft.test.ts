import { expect, it } from "vitest";
import { plural, singular } from "../../../generator/init/draft.ts";

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
