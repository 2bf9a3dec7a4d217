import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { changeLimits, checkChanges, continued, cursorOf } from "../../../runtime/changes/index.ts";

const check = (given: Record<string, unknown>, id = "github") => checkChanges(github, id, given);
const faultsOf = (given: Record<string, unknown>): unknown => {
  try {
    return check(given);
  } catch (thrown) {
    return thrown;
  }
};
const refusal = (pointer: string, code: string, ...more: readonly string[]) =>
  expect.objectContaining({
    code: "invalid_request",
    faults: [pointer, ...more].map((one) => expect.objectContaining({ pointer: one, code })),
  });
const state = { eq: { state: "open" } };

describe("a request for changes", () => {
  it.each([
    [{ cursor: 5 }, refusal("/cursor", "wrong_type")],
    [{ entity: [] }, refusal("/entity", "out_of_range")],
    [{ entity: Array.from(Object.keys(github.entities), () => "issues").concat("issues") }, refusal("/entity", "out_of_range")],
    [{ entity: "isues" }, refusal("/entity", "unknown_entity")],
    [{ entity: ["issues", 5, "toString"] }, refusal("/entity", "unknown_entity", "/entity")],
    [{ entity: "code" }, refusal("/entity", "not_allowed")],
    [{ entity: ["gists", "code"] }, refusal("/entity", "not_allowed")],
    [{ filter: state }, refusal("/filter", "not_allowed")],
    [{ entity: ["issues", "users"], filter: state, fields: ["id"] }, refusal("/filter", "not_allowed", "/fields")],
    [{ entity: "isues", filter: state }, refusal("/entity", "unknown_entity")],
    [{ limit: 0 }, refusal("/limit", "out_of_range")],
    [{ limit: changeLimits.most + 1 }, refusal("/limit", "out_of_range")],
    [{ limit: 1.5 }, refusal("/limit", "out_of_range")],
    [{ limit: "5" }, refusal("/limit", "out_of_range")],
    [{ wait: -1 }, refusal("/wait", "out_of_range")],
    [{ wait: changeLimits.wait + 1, limit: -1 }, refusal("/limit", "out_of_range", "/wait")],
    [{ entities: "issues" }, refusal("/entities", "unknown_param")],
  ])("with %j is refused", (given, error) => {
    expect(faultsOf(given)).toEqual(error);
  });
});

describe("a valid request for changes", () => {
  it("is all of everything where nothing is said", () => {
    const request = check({});
    expect(request).toEqual({ entities: null, limit: 100, wait: 0, digest: request.digest });
    expect(check({ cursor: "" })).toEqual(request);
    expect(check({ cursor: "latest" })).toEqual({ ...request, after: "latest" });
  });

  it("is what is said, with the wait in milliseconds", () => {
    const request = check({ entity: "issues", filter: state, fields: ["id"], limit: changeLimits.most, wait: changeLimits.wait });
    expect(request).toMatchObject({ entities: ["issues"], limit: 1000, wait: 25_000, fields: new Map([["id", null]]) });
    expect(request.filter).toEqual({ kind: "test", field: "state", operator: "eq", operand: "open" });
    expect(check({ limit: 1, wait: 0 })).toMatchObject({ limit: 1, wait: 0 });
  });
});

describe("a cursor", () => {
  const given = { entity: ["issues", "users"], limit: 5 };
  const position = { log: "l", from: 5 };
  const cursor = cursorOf(check(given), position);

  it("goes on with the same request, whatever the order of its entities and its limit", () => {
    expect(check({ ...given, cursor }).after).toEqual(position);
    expect(check({ entity: ["users", "issues"], cursor }).after).toEqual(position);
    const request = check(given);
    expect(continued(request, { meta: { cursor } })).toEqual({ ...request, after: position });
  });

  it.each([{ entity: "issues" }, {}, { entity: "issues", filter: state }])("is refused with %j", (other) => {
    expect(faultsOf({ ...other, cursor })).toMatchObject({
      code: "bad_cursor",
      faults: [{ pointer: "/cursor", code: "bad_cursor" }],
    });
    expect(() => check({ ...given, cursor }, "other")).toThrow("cursor");
  });

  it.each(["x", "bnVsbA", Buffer.from("[1]").toString("base64url")])("that is none is refused: %s", (none) => {
    expect(faultsOf({ cursor: none })).toMatchObject({ code: "bad_cursor" });
  });

  it.each([
    [["l", -1], undefined],
    [["l", 0.5], undefined],
    [["l", "1"], undefined],
    [[5, 1], undefined],
    [["l", 1, 1], undefined],
    [["l", 0], { log: "l", from: 0 }],
  ])("with the position %j goes on at %j", (parts, after) => {
    const request = check(given);
    const text = Buffer.from(JSON.stringify([request.digest, ...parts])).toString("base64url");
    expect(continued(request, { meta: { cursor: text } }).after).toEqual(after);
  });
});
