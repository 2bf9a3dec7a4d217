import { describe, expect, it } from "vitest";
import { memberOfPlace, placeName, placesOf } from "../../../generator/init/open-api-places.ts";

describe("a place in the path of a call", () => {
  it.each([
    ["/files/{file_key}", "file_key", "file"],
    ["/issues/{issueIdOrKey}/comments", "issueIdOrKey", "issue"],
    ["/projects/{id}/issues", "id", "project"],
    ["/merge-requests/{id}/notes", "id", "mergeRequest"],
    ["/things/{id}", "id", "id"],
    ["/projects/{id}/issues/{issue_iid}", "issue_iid", "issue"],
    // No word before it says what it is.
    ["/{id}/things", "id", "id"],
    ["/{workspace}/{id}/things", "id", "id"],
  ])("of %s, {%s}, is called %s", (path, place, name) => {
    expect(placesOf(path)).toContain(place);
    expect(placeName(path, place)).toBe(name);
  });

  it.each([
    ["issue_iid", ["id", "iid"], "iid"],
    ["issueIdOrKey", ["id", "key"], "key"],
    ["pageUUID", ["id", "uuid"], "uuid"],
    ["project_slug", ["id", "name"], "id"],
    ["project", ["id", "key"], "id"],
  ])("{%s} has the value of a record with %j: %s", (place, fields, member) => {
    expect(memberOfPlace(place, fields, "id")).toBe(member);
  });
});
