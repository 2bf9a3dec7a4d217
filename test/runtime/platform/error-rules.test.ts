import { describe, expect, it } from "vitest";
import type { FailureCondition } from "../../../runtime/contract/index.ts";
import { saidIn, saysFailure } from "../../../runtime/platform/error-places.ts";
import { ErrorRules } from "../../../runtime/platform/error-rules.ts";

const rules = new ErrorRules({
  "400": { code: "platform_rejected" },
  "400 /no such/": { code: "not_found" },
  "403 /limit/": { code: "rate_limited" },
  gone: { code: "not_found" },
  "410 gone": { code: "platform_forbidden" },
  "/moved/": { code: "not_found" },
});

describe("rules of errors", () => {
  it.each([
    [400, "", "anything", "platform_rejected"],
    [400, "", "there is No Such thing", "not_found"],
    [404, "", "there is no such thing", undefined],
    [403, "", "limit", "rate_limited"],
    [403, "", "no", undefined],
    [422, "gone", "", "not_found"],
    [410, "gone", "", "platform_forbidden"],
    [410, "gone", "it has moved", "not_found"],
    [undefined, "", "it has moved", "not_found"],
  ])("%s %s %s", (status, name, message, expected) => {
    const found = rules.find({ ...(status === undefined ? {} : { status }), names: [name], message });
    expect(found?.code).toBe(expected);
  });
});

describe("what a refusal says", () => {
  it.each([
    [{ message: "m", errors: [{ field: "name", code: "missing" }] }, "m; name missing"],
    [{ error: { message: "m", code: 7 } }, "m"],
    [{ error: "m" }, "m"],
    [{ errors: [{ detail: "a" }, "b"] }, "a; b"],
    ["<html>", ""],
    [null, ""],
    [[], ""],
  ])("%j is found at the usual places", (body, message) => {
    expect(saidIn(body).message).toBe(message);
  });

  it("is found where the spec says", () => {
    const places = { message: ["error.info", "err"], code: ["error.kind"], field: ["error.fields[0].path"] };
    const body = { error: { info: ["a", "b"], kind: 12, fields: [{ path: "name" }] }, message: "other" };
    expect(saidIn(body, places)).toMatchObject({ message: "a; b", code: "12", field: "name" });
    expect(saidIn({ err: "c", message: "other" }, places).message).toBe("c");
  });

  it("names several fields, each with a text of its own", () => {
    const body = { errors: { summary: "It is required.", labels: ["too many", "too long"], none: [], deep: {} }, wait: "2.5" };
    const { fields, retry } = saidIn(body, { fields: ["errorMessages", "errors"], retry: ["wait"] });
    expect(fields).toEqual([
      { name: "summary", message: "It is required." },
      { name: "labels", message: "too many; too long" },
    ]);
    expect(retry).toBe(2.5);
  });

  it("names fields that have objects with a text, or a list of them", () => {
    const subject = [{ error: "BlankValue", description: "Subject: cannot be blank" }, { description: "Too short" }];
    const body = { details: { subject, priority: { message: "is unknown" }, odd: [{ kind: "x" }] } };
    expect(saidIn(body, { fields: ["details"] }).fields).toEqual([
      { name: "subject", message: "Subject: cannot be blank; Too short" },
      { name: "priority", message: "is unknown" },
    ]);
  });

  it("names at most 20 fields, and no time where it says none", () => {
    const errors = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, "wrong"]));
    expect(saidIn({ errors, wait: "soon" }, { fields: ["errors"], retry: ["wait"] })).toMatchObject({ retry: undefined });
    expect(saidIn({ errors }, { fields: ["errors"] }).fields).toHaveLength(20);
  });

  it("is found beside lists that are nested more deeply than the stack", () => {
    const message: unknown = JSON.parse("[".repeat(50_000) + "]".repeat(50_000));
    expect(saidIn({ message, detail: ["a", message, "b"] }).message).toBe("a; b");
  });
});

describe("a success", () => {
  const success = { status: 200, headers: new Headers({ "x-failed": "1" }), data: { ok: true, code: 0, error: null } };
  it.each([
    [{ ok: false }, false],
    [{ ok: true }, true],
    [{ ok: "true" }, false],
    [{ "header x-failed": 1 }, true],
    [{ "header x-failed": "2" }, false],
    [{ "header x-other": 1 }, false],
    [{ "HTTP status": 200 }, true],
    [{ "HTTP status": [202, 203] }, false],
    [{ code: [1, 0] }, true],
    [{ code: { not: 0 } }, false],
    [{ code: { not: 1 } }, true],
    [{ "inner.code": { not: 0 } }, false],
    [{ error: { not: null } }, false],
    [{ error: null }, true],
    [{ ok: false, code: { not: 1 } }, false],
    [{ ok: true, code: { not: 1 } }, true],
    [[{ ok: false }, { code: { not: 1 } }], true],
    [[{ ok: false }, { ok: true, code: 1 }], false],
  ])("says by %j that the call failed: %s", (when: FailureCondition | readonly FailureCondition[], expected) => {
    expect(saysFailure(success, [when].flat())).toBe(expected);
  });
});
