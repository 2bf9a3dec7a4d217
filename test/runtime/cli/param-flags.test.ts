import { describe, expect, it } from "vitest";
import { commands } from "../../../runtime/cli/commands.ts";
import { runCommandLine } from "../../../runtime/cli/program.ts";
import { flagsOfParams, paramsOf, paramsWithMembers } from "../../../runtime/cli/request/param-flags.ts";

const text = { type: "string" };
const period = {
  type: ["object", "null"],
  properties: { from: { type: "integer" }, isOpen: { type: "boolean" } },
  required: ["from"],
};
const contact = {
  type: "object",
  properties: { period, email_text: { type: ["string", "null"] }, tags: { type: "array", items: text } },
};
const schema = {
  required: ["owner"],
  properties: {
    owner: { type: "object", properties: { contact, name: text }, required: ["name"] },
    lines: { type: "array", items: { type: "object", properties: { sku: text } } },
    metadata: { type: "object" },
    states: { type: "array", items: { type: "string", enum: ["OPEN", "CLOSED", "a, b"] } },
    fields: { type: "array", items: text },
  },
};
const flags = flagsOfParams(schema);

/** The params of these flags, each with its text, or with the texts of a flag that was repeated. */
const given = (values: Readonly<Record<string, unknown>>) =>
  paramsOf(
    Object.entries(values).map(([name, value]) => {
      const flag = flags.find((one) => one.flag === name);
      if (flag === undefined) throw new Error(`there is no flag ${name}`);
      return [flag, value] as const;
    }),
  );

describe("the flags of params", () => {
  it("have one for each member of an object, after that of the object", () => {
    expect(flags.map(({ flag, required }) => [flag, required])).toEqual([
      ["owner", true],
      ["owner.contact", false],
      ["owner.contact.period", false],
      ["owner.contact.period.from", "inside"],
      ["owner.contact.period.is-open", false],
      ["owner.contact.email-text", false],
      ["owner.contact.tags", false],
      ["owner.name", true],
      ["lines", false],
      ["metadata", false],
      ["states", false],
    ]);
  });

  it("leave out a param that has the name of a flag of all actions, which is a param all the same", () => {
    expect(paramsWithMembers(schema).map(({ path }) => path.join("."))).toContain("fields");
  });

  it("make one object of the members, each with its type", () => {
    expect(
      given({
        "owner.name": "5",
        "owner.contact.period.from": "5",
        "owner.contact.period.is-open": true,
        "owner.contact.email-text": "null",
        "owner.contact.tags": ["a", "5"],
      }),
    ).toEqual({ owner: { name: "5", contact: { period: { from: 5, isOpen: true }, email_text: null, tags: ["a", "5"] } } });
  });

  it("take values of an enumeration one by one, or several in one text, and no other texts apart", () => {
    for (const states of [["OPEN", "CLOSED"], ["OPEN,CLOSED"], ["OPEN, CLOSED"]])
      expect(given({ states })).toEqual({ states: ["OPEN", "CLOSED"] });
    // Nothing is left out, so that the action says what is wrong.
    expect(given({ states: ["a, b", "OPEN,,x", ""] })).toEqual({ states: ["a, b", "OPEN", "", "x", ""] });
    expect(given({ "owner.contact.tags": ["a,b"] })).toEqual({ owner: { contact: { tags: ["a,b"] } } });
  });

  it("take objects, and lists of them, as JSON", () => {
    expect(given({ owner: '{"name":"a"}', lines: ['{"sku":"a"}', '{"sku":"b"}'], metadata: '{"x":1}' })).toEqual({
      owner: { name: "a" },
      lines: [{ sku: "a" }, { sku: "b" }],
      metadata: { x: 1 },
    });
    expect(given({ lines: ['[{"sku":"a"},{"sku":"b"}]'] })).toEqual({ lines: [{ sku: "a" }, { sku: "b" }] });
    expect(given({ "owner.contact.period": "null" })).toEqual({ owner: { contact: { period: null } } });
  });

  it("take true and false, and leave any other word to the action", () => {
    const isOpen = (text: string) => given({ "owner.contact.period.is-open": text });
    expect(["true", "false", "yes"].map(isOpen)).toEqual(
      [true, false, "yes"].map((value) => ({ owner: { contact: { period: { isOpen: value } } } })),
    );
  });

  it("leave what does not fit to the action, which says what is allowed", () => {
    expect(given({ "owner.contact.period.from": "soon" })).toEqual({ owner: { contact: { period: { from: "soon" } } } });
  });

  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{ owner: "{}", "owner.name": "a" }, "--owner and --owner.name cannot be used together"],
    [{ "owner.contact.period.from": "1", owner: "{}" }, "--owner and --owner.contact.period.from cannot be used together"],
    [
      { "owner.contact.period": "null", "owner.contact.period.from": "1" },
      "--owner.contact.period and --owner.contact.period.from",
    ],
    [{ "owner.contact": "{from: 1}" }, "--owner.contact is not JSON: "],
    [{ lines: ["[{]"] }, "--lines is not JSON: "],
  ])("refuse %j", (values, message) => expect(() => given(values)).toThrow(message));
});

const create = (...args: string[]) => runCommandLine(commands, ["stripe", "customers", "create", ...args]);

describe("a command line with members", () => {
  it.each([
    [["--address.cty", "Berlin"], /unknown option '--address\.cty'.*\(Did you mean --address\.city\?\)/s],
    [["--address.__proto__.x", "1"], /unknown option '--address\.__proto__\.x'/],
    [["--__proto__.x", "1"], /unknown option '--__proto__\.x'/],
    [["--address.constructor.prototype.x", "1"], /unknown option/],
    [["--address.city"], /option '--address\.city <text>' argument missing/],
    [["--address", "{}", "--address.city", "Berlin"], /--address and --address\.city cannot be used together/],
    [["--params", '{"address":{}}', "--address.city", "Berlin"], /--params has "address" too/],
  ])("refuses %j", async (args, message) => {
    await expect(create(...args)).rejects.toThrow(message);
    expect(({} as { readonly x?: unknown }).x).toBeUndefined();
  });
});
