import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { Faults } from "../../../runtime/base/faults.ts";
import type { AuthKind, Connector } from "../../../runtime/contract/index.ts";
import { readCredential } from "../../../runtime/main/operator/read-credential.ts";

const kind = (name: string, ...values: string[]): AuthKind => ({
  name,
  values: Object.fromEntries(values.map((value) => [value, value.toUpperCase()])),
  doc: "",
  place: { in: "header", name: "Authorization", template: ["", values[0] ?? "", ""] },
});
const several: Connector = {
  ...github,
  platform: {
    ...github.platform,
    auth: { kinds: [kind("basic", "user", "password"), kind("key", "key"), kind("old", "key")], secrets: [] },
  },
};
const pair: Connector = {
  ...several,
  platform: { ...github.platform, auth: { kinds: [kind("basic", "user", "password")], secrets: [] } },
};

describe("a credential", () => {
  it.each<[string, Connector, string, object]>([
    ["one value", github, " token-1 \n", { kind: "token", values: { token: "token-1" } }],
    ["one value, where only one of several kinds has one", several, "k", { kind: "key", values: { key: "k" } }],
    ["the values of a kind", several, '{"password":"a b","user":"u"}', { kind: "basic", values: { user: "u", password: "a b" } }],
    ["the values of a kind that is named", several, '{"kind":"old","key":"k"}', { kind: "old", values: { key: "k" } }],
  ])("may be %s", (_title, connector, given, expected) => {
    const faults = new Faults();
    expect(readCredential(connector, { text: given }, faults)).toEqual(expected);
    expect(faults.any).toBe(false);
  });

  it("is of the kind that is asked for", () => {
    const faults = new Faults();
    expect(readCredential(several, { text: "k", kind: "old" }, faults)).toEqual({ kind: "old", values: { key: "k" } });
    expect(readCredential(several, { text: '{"kind":"old","key":"k"}', kind: "old" }, faults)).toEqual({
      kind: "old",
      values: { key: "k" },
    });
    expect(faults.any).toBe(false);
    for (const [given, asked] of [
      ["canary", "none"],
      ["canary", "basic"],
      ['{"kind":"old","key":"canary"}', "key"],
      ['{"key":"canary"}', "basic"],
    ] as const)
      expect(readCredential(several, { text: given, kind: asked }, faults)).toBeUndefined();
    expect(faults.list).toHaveLength(4);
    expect(JSON.stringify(faults.list)).not.toContain("canary");
  });

  it.each<[string, Connector, string]>([
    ["empty", github, ""],
    ["two words", github, "canary canary"],
    ["one value where two are needed", pair, "canary"],
    ["not JSON", github, '{"token":"canary"'],
    ["no texts", github, '{"token":["canary"]}'],
    ["of an unknown kind", several, '{"kind":"none","key":"canary"}'],
    ["of values that no kind has", several, '{"token":"canary"}'],
    ["of too few values", several, '{"user":"canary"}'],
    ["a text with a line break", github, '{"token":"canary\\n"}'],
  ])("is refused when it is %s, and not shown", (_title, connector, given) => {
    const faults = new Faults();
    expect(readCredential(connector, { text: given }, faults)).toBeUndefined();
    expect(faults.list).toHaveLength(1);
    expect(JSON.stringify(faults.list)).not.toContain("canary");
  });
});
