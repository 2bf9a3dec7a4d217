import { describe, expect, it } from "vitest";
import { Faults } from "../../../runtime/base/faults.ts";
import { type Action, actionTraits, type RestOperation } from "../../../runtime/contract/index.ts";
import { checkParams } from "../../../runtime/execute/params-check.ts";

const operation: RestOperation = {
  kind: "rest",
  method: "POST",
  path: "/charges",
  query: ["near", { param: "ids", name: "ids[]", join: "repeat" }],
  headers: [{ param: "from", name: "X-From" }],
  body: ["tags", { param: "owner", name: "owner.data" }, "note"],
  form: true,
  record: { name: "Charge", fields: {} },
};

const { form: _, ...json } = operation;

/** The faults of a request, without those that the validator finds. */
function faultsOf(params: object, used: RestOperation = operation) {
  const action: Action = {
    name: "charges.update",
    traits: actionTraits.update,
    params: ["near", "ids", "from", "tags", "owner", "note"],
    validate: () => true,
    operation: used,
  };
  const faults = new Faults();
  checkParams(action, params, faults);
  return faults.list.map(({ pointer, code, message }) => [pointer, code, message]);
}

it("refuses an element with the separator of its list, which would be read as two", () => {
  const joined: RestOperation = { ...json, query: [{ param: "tags", name: "tags", join: "," }], body: [] };
  expect(faultsOf({ tags: ["a", "b,c"] }, joined)).toEqual([
    ["/params/tags/1", "not_sendable", 'tags is sent with "," between its elements, so that no element can have one.'],
  ]);
  expect(faultsOf({ tags: ["a", "b"] }, joined)).toEqual([]);
});

describe("two values for one place", () => {
  const body = ["note", { param: "text", name: "note" }, { param: "owner", name: "owner" }, { param: "id", name: "owner.id" }];
  const twice = {
    ...json,
    query: [
      { param: "near", name: "at" },
      { param: "far", name: "at" },
    ],
    body,
  };

  it.each([
    [{ note: "a", text: "b" }, "/params/text", "text and note are sent in the same place. Give one of them."],
    [{ owner: { name: "a" }, id: 1 }, "/params/id", "id and owner are sent in the same place. Give one of them."],
    [{ near: 1, far: 2 }, "/params/far", "far and near are sent in the same place. Give one of them."],
  ])("are refused: %j", (params, pointer, message) => {
    expect(faultsOf(params, twice)).toEqual([[pointer, "not_sendable", message]]);
  });

  it("are fine one by one", () => {
    for (const params of [
      { note: "a", id: 1, near: 1 },
      { text: "b", owner: {}, far: 2 },
    ])
      expect(faultsOf(params, twice)).toEqual([]);
  });
});

describe("a value that a call has no way to send", () => {
  it.each([
    [{ tags: [] }, "/params/tags", "tags is an empty list"],
    [{ owner: {} }, "/params/owner", "owner is an empty object"],
    [{ tags: [{ a: [1], b: [] }] }, "/params/tags/0/b", "tags.0.b is an empty list"],
  ])("is refused in a form: %j", (params, pointer, message) => {
    expect(faultsOf(params)).toEqual([[pointer, "not_sendable", expect.stringContaining(message)]]);
    // JSON has a way to send it.
    expect(faultsOf(params, json)).toEqual([]);
  });

  it.each([
    [{ near: { a: 1 } }, "/params/near", "near is sent in a query, which takes no object."],
    [{ ids: [1, { a: 1 }] }, "/params/ids/1", "ids is sent in a query, which takes no object."],
    [
      { near: [] },
      "/params/near",
      "near is an empty list, which a query has no way to send. Leave it out, or give it something.",
    ],
    [{ ids: [] }, "/params/ids", "ids is an empty list, which a query has no way to send. Leave it out, or give it something."],
    [
      { from: [] },
      "/params/from",
      "from is an empty list, which a header has no way to send. Leave it out, or give it something.",
    ],
    [{ from: {} }, "/params/from", "from is sent in a header, which takes no object."],
    [{ near: null }, "/params/near", "near is null, which a query has no way to send. Leave it out, or give it something."],
    [{ from: null }, "/params/from", "from is null, which a header has no way to send. Leave it out, or give it something."],
  ])("is refused where it is sent as a text: %j", (params, pointer, message) => {
    expect(faultsOf({ note: "a", ...params }, json)).toEqual([[pointer, "not_sendable", message]]);
  });

  const styles: RestOperation = {
    ...json,
    query: [
      { param: "near", name: "near", join: "brackets" },
      { param: "owner", name: "owner", join: "repeat" },
      { param: "tags", name: "tags", join: "json" },
      "note",
    ],
    body: [],
    list: { by: { kind: "cursor", param: "cursor", next: "next" } },
  };

  it.each([
    [{ near: {} }, "/params/near", "near is an empty object, which a query has no way to send."],
    [{ near: { at: { x: [] } } }, "/params/near/at/x", "near.at.x is an empty list, which a query has no way to send."],
    [{ owner: {} }, "/params/owner", "owner is an empty object, which a query has no way to send."],
    [{ owner: { a: { b: 1 } } }, "/params/owner/a", "owner.a is sent in a query, which takes no object."],
    [{ owner: { note: "b" } }, "/params/owner/note", 'owner cannot have "note", which is another parameter.'],
    [{ owner: { cursor: "b" } }, "/params/owner/cursor", 'owner cannot have "cursor", which is another parameter.'],
  ])("is refused by the style of its query: %j", (params, pointer, message) => {
    expect(faultsOf({ note: "a", ...params }, styles)).toEqual([[pointer, "not_sendable", expect.stringContaining(message)]]);
  });

  it("is none where the style of the query has a way", () => {
    const params = { note: "a", near: { at: { x: 1 } }, owner: { a: 1, b: null }, tags: [{}] };
    expect(faultsOf(params, styles)).toEqual([]);
  });

  it("is a broken text too, however deep it is, and what is too deep is not looked at", () => {
    expect(faultsOf({ owner: { a: ["\ud800"] } })).toMatchObject([["/params/owner", "invalid_text", expect.any(String)]]);
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(faultsOf({ owner: deep })).toMatchObject([["/params/owner", "out_of_range", expect.any(String)]]);
  });
});
