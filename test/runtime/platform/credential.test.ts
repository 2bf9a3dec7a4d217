import { describe, expect, it } from "vitest";
import type { AuthKind } from "../../../runtime/contract/index.ts";
import { secretsOf, signatureOf, singleCredential } from "../../../runtime/platform/credential.ts";

const kinds: readonly AuthKind[] = [
  { name: "key", values: { token: "A" }, doc: "", place: { in: "header", name: "X-Key", template: ["", "token", ""] } },
  {
    name: "scheme",
    values: { token: "B" },
    doc: "",
    place: { in: "header", name: "Authorization", template: ["Token token=", "token", ""] },
  },
  { name: "query", values: { token: "C" }, doc: "", place: { in: "query", name: "api_key", template: ["", "token", ""] } },
  {
    name: "basic",
    values: { email: "D", token: "E" },
    doc: "",
    place: { in: "basic", template: ["", "email", "/token:", "token", ""] },
  },
];

describe("a credential", () => {
  it.each([
    ["key", { token: "t" }, { headers: { "x-key": "t" }, query: {} }],
    ["scheme", { token: "t" }, { headers: { authorization: "Token token=t" }, query: {} }],
    ["query", { token: "t&u" }, { headers: {}, query: { api_key: "t&u" } }],
    ["basic", { email: "a@b.c", token: "t" }, { headers: { authorization: `Basic ${btoa("a@b.c/token:t")}` }, query: {} }],
  ])("of the kind %s stands where the platform wants it", (kind, values, expected) => {
    expect(signatureOf(kinds, { kind, values })).toEqual(expected);
  });

  it("stands elsewhere in the form that its value has", () => {
    const forms = [{ matches: "^glcbt-", place: { in: "header", name: "JOB-TOKEN", template: ["", "token", ""] } }] as const;
    const [key] = kinds;
    const withForms = key === undefined ? [] : [{ ...key, forms }];
    const headers = (token: string) => signatureOf(withForms, { kind: "key", values: { token } }).headers;
    expect([headers("glcbt-1"), headers("glpat-1")]).toEqual([{ "job-token": "glcbt-1" }, { "x-key": "glpat-1" }]);
  });

  it.each([
    ["query", { token: "t" }, ["t"]],
    ["basic", { email: "a@b.c", token: "t" }, ["t"]],
    ["key as user", { key: "k" }, ["k"]],
    ["other", { token: "t" }, []],
  ])("of the kind %s has secrets, among which no user name is", (kind, values, expected) => {
    const place = { in: "basic", template: ["", "key", ":"] } as const;
    expect(secretsOf([...kinds, { name: "key as user", values: { key: "F" }, doc: "", place }], { kind, values })).toEqual(
      expected,
    );
  });

  it("that was not checked is never sent in part", () => {
    expect(() => signatureOf(kinds, { kind: "basic", values: { email: "a@b.c" } })).toThrow('has no "token"');
    expect(() => signatureOf(kinds, { kind: "key", values: { toString: "x" } })).toThrow('has no "token"');
    expect(() => signatureOf(kinds, { kind: "other", values: { token: "t" } })).toThrow('of the kind "other"');
  });

  it("of one text is for the first kind", () => {
    expect(singleCredential(kinds, "t")).toEqual({ kind: "key", values: { token: "t" } });
  });
});
