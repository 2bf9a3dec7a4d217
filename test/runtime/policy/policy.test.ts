import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { jira } from "../../../generated/jira/index.ts";
import { linear } from "../../../generated/linear/index.ts";
import { stripe } from "../../../generated/stripe/index.ts";
import { actionOf, type Connector, type Entity } from "../../../runtime/contract/index.ts";
import { changedFields, decide, mayDecide, type Policy, type PolicyWrite } from "../../../runtime/policy/policy.ts";
import { readPolicy } from "../../../runtime/policy/read-policy.ts";

const connectors: readonly Connector[] = [github];
const policyOf = (rules: readonly object[]): Policy => readPolicy("policy.yaml", JSON.stringify({ rules }), connectors);
const target = { owner: "octocat", repo: "Hello-World" };

function write(entity: string, action: string, params: Readonly<Record<string, unknown>>, key = "agent"): PolicyWrite {
  const found = actionOf(github, entity, action);
  if (found === undefined) throw new Error("no such action");
  const all = { ...target, ...params };
  return {
    caller: ["key_1", key],
    connector: ["github", "github"],
    entity,
    action,
    params: all,
    fields: changedFields(found, all),
  };
}

const effectOf = (rules: readonly object[], given: PolicyWrite) => decide(policyOf(rules), given)?.rule.effect ?? "none";
const update = (params: object, key?: string) => write("issues", "update", { issue_number: 1, ...params }, key);

describe("the fields that a write sets", () => {
  it("are what an update changes, and what a create sends beside its place", () => {
    expect(update({ state: "closed", fields: ["id"] }).fields).toEqual(["state"]);
    expect(write("issues", "create", { title: "a", fields: ["id"] }).fields).toEqual(["title"]);
    expect(write("comments", "create", { issue_number: 1, body: "a" }).fields).toEqual(["body"]);
  });
});

describe("a policy", () => {
  it("allows what no rule is about, and its first rule decides", () => {
    expect(effectOf([{ entity: "comments", effect: "reject" }], update({ title: "a" }))).toBe("none");
    expect(effectOf([{ entity: "issues", effect: "allow" }, { effect: "reject" }], update({ title: "a" }))).toBe("allow");
    expect(effectOf([{ effect: "reject" }, { entity: "issues", effect: "allow" }], update({ title: "a" }))).toBe("reject");
  });

  it.each([
    ["the name of the key", { key: "agent" }, true],
    ["the id of the key", { key: ["key_1"] }, true],
    ["another key", { key: "key_2" }, false],
    ["a pattern of the key", { key: "a*t" }, true],
    ["a pattern whose stars stand for nothing", { key: "a*gen*t" }, true],
    ["a pattern whose ends are all of the text", { key: "ag*ent" }, true],
    ["a pattern whose ends overlap", { key: "age*gent" }, false],
    ["a pattern whose last two pieces overlap", { key: "a*gent*t" }, false],
    ["a pattern with a piece twice, which the text has once", { key: "a*gen*gen*t" }, false],
    ["the connector", { connector: "github" }, true],
    ["another connector", { connector: "linear" }, false],
    ["the action", { action: "update" }, true],
    ["another action", { action: "create" }, false],
    ["a value", { params: { repo: "Hello-World", state: "closed" } }, true],
    ["a value of other case", { params: { repo: "hello-*" } }, true],
    ["another value", { params: { state: "open" } }, false],
    ["a number", { params: { issue_number: 1 } }, true],
    ["a param that was not sent", { params: { title: "*" } }, false],
    ["one element of a list", { params: { labels: "bug" } }, true],
    ["an element that the list has not", { params: { labels: "feature" } }, false],
    ["null", { params: { milestone: null } }, true],
  ])("rejects by %s", (_what, parts, fits) => {
    const given = update({ state: "closed", labels: ["bug", "help wanted"], milestone: null });
    expect(effectOf([{ ...parts, effect: "reject" }], given)).toBe(fits ? "reject" : "none");
  });

  it("rejects a write that sets one of the named fields, and allows one that sets no others", () => {
    const [one, both] = [update({ labels: ["bug"] }), update({ labels: ["bug"], title: "a" })];
    const reject = [{ fields: "title", effect: "reject" }];
    expect([effectOf(reject, one), effectOf(reject, both)]).toEqual(["none", "reject"]);
    const allow = [{ fields: ["labels"], effect: "allow" }];
    expect([effectOf(allow, one), effectOf(allow, both)]).toEqual(["allow", "none"]);
    expect(effectOf([{ fields: "*", effect: "allow" }], write("webhooks", "delete", { hook_id: 1 }))).toBe("none");
  });

  it("compares an object by its JSON", () => {
    const gist = write("gists", "create", { files: { "a.txt": { content: "the secret" } } });
    expect(effectOf([{ params: { files: '{"a.txt":*secret*' }, effect: "reject" }], gist)).toBe("reject");
  });

  it("says which rule decides, counted from 1", () => {
    const rules = policyOf([{ entity: "comments", effect: "allow" }, { effect: "reject" }]);
    expect(decide(rules, update({ title: "a" }))).toEqual({ rule: rules[1], number: 2 });
  });

  it("allows a list only when all of its elements are named, and only exactly as they are named", () => {
    const rules = [{ params: { labels: ["bug", "help*"] }, effect: "allow" }];
    expect(effectOf(rules, update({ labels: ["bug", "help wanted"] }))).toBe("allow");
    expect(effectOf(rules, update({ labels: ["bug", "feature"] }))).toBe("none");
    expect(effectOf(rules, update({ labels: ["BUG"] }))).toBe("none");
    expect(effectOf(rules, update({ labels: [] }))).toBe("none");
    expect(effectOf([{ key: "agent", effect: "allow" }], update({ title: "a" }, "Agent"))).toBe("none");
  });

  it("takes no time for a pattern with many stars", () => {
    const body = `${"a".repeat(60_000)}b`;
    expect(effectOf([{ params: { body: `${"*a".repeat(90)}*c` }, effect: "reject" }], update({ body }))).toBe("none");
    expect(effectOf([{ params: { body: `${"*a".repeat(90)}*b` }, effect: "reject" }], update({ body }))).toBe("reject");
  });

  it("says for past writes, of which no values are known, which rules may have decided", () => {
    const rules = policyOf([
      { entity: "comments", effect: "reject" },
      { entity: "issues", fields: "labels", effect: "allow" },
      { entity: "issues", params: { state: "closed" }, effect: "reject" },
      { entity: "issues", fields: "title", effect: "reject" },
      { entity: "issues", params: { repo: "hello-*" }, effect: "allow" },
    ]);
    const update = actionOf(github, "issues", "update");
    const names = { caller: ["agent"], connector: ["github"], action: "update", write: update };
    const numbers = (fields?: readonly string[], entity = "issues", write = update) =>
      mayDecide(rules, { ...names, entity, fields, write }).map((one) => one?.number);
    expect(numbers(["body"], "comments")).toEqual([1]);
    expect(numbers(["labels"])).toEqual([2]);
    expect(mayDecide(rules, { ...names, entity: "issues", fields: ["labels"] })).toEqual([{ rule: rules[1], number: 2 }]);
    expect(numbers(["title"])).toEqual([4]);
    expect(numbers(["title", "labels"])).toEqual([4]);
    expect(numbers(["state", "title"])).toEqual([3, 4]);
    expect(numbers(["body"])).toEqual([5, undefined]);
    // Entries of earlier versions have no names of fields, and a connector may have lost an action.
    expect(numbers(undefined)).toEqual([2, 3, 4, 5, undefined]);
    expect(
      mayDecide(rules, { ...names, entity: "issues", fields: ["title"], write: undefined }).map((one) => one?.number),
    ).toEqual([3, 4]);
  });
});

describe("a file with a policy", () => {
  it.each([
    ["rules: [", /^policy\.yaml:1:9 is not YAML: Flow sequence in block collection must be .* and end with a \]$/],
    ["", "policy.yaml:1:1 /: A policy must be a mapping with a list called rules."],
    ["# none\n[]", "policy.yaml:2:1 /: A policy must be a mapping with a list called rules."],
    ["rules: 1", "policy.yaml:1:1 /: A policy must be a mapping with a list called rules."],
    ["rules: []\nrule: 1", 'policy.yaml:2:7 /rule: A policy has no member "rule". Did you mean "rules"? Allowed: rules.'],
    [
      "rule: []",
      'policy.yaml:1:7 /rule: A policy has no member "rule". Did you mean "rules"? Allowed: rules.\npolicy.yaml:1:1 /: A policy must be a mapping with a list called rules.',
    ],
    [
      "rules:\n  - {effect: reject, entity: isues, action: create, fields: [titel]}",
      /^policy\.yaml:2:30 \/rules\/0\/entity: No write has the entity "isues"\. [^\n]*$/,
    ],
    [
      "rules:\n  - {effect: reject, action: updat, fields: [stat], params: {repo: x}}",
      /^policy\.yaml:2:30 \/rules\/0\/action: No write has the action "updat"\. Did you mean "update"\? [^\n]*$/,
    ],
    ["rules:\n  - allow", "policy.yaml:2:5 /rules/0: A rule must be a mapping."],
    [
      "rules:\n  - entity: issues",
      "policy.yaml:2:5 /rules/0/effect: A rule must say what to do with the write. Allowed: allow, reject, require_approval.",
    ],
    ["rules:\n  - effect: alow", /2:13 \/rules\/0\/effect: .* Did you mean "allow"\?/],
    ["rules:\n  - effect: allow\n    keys: a", /3:11 \/rules\/0\/keys: A rule has no member "keys"\. Did you mean "key"\?/],
    [
      "rules:\n  - effect: reject\n    entity: isues",
      /3:13 \/rules\/0\/entity: No write has the entity "isues"\. Did you mean "issues"\?/,
    ],
    ["rules:\n  - effect: reject\n    entity: labels", /No write has the entity "labels"/],
    ["rules:\n  - effect: reject\n    action: [create, list]", /3:22 \/rules\/0\/action\/1: No write has the action "list"/],
    ["rules:\n  - {effect: reject, entity: comments, fields: title}", /No write has the field "title"\. Allowed: body\./],
    ["rules:\n  - {effect: reject, params: {rep: a}}", /params\/rep: No write has the param "rep"\. Did you mean "repo"\?/],
    ["rules:\n  - {effect: reject, key: []}", /key must be a text, or a list of 1 to 100 texts/],
    ["rules:\n  - {effect: reject, key: {a: 1}}", /key must be a text/],
    ["rules:\n  - effect: reject\n    key:\n", /^policy\.yaml:3:9 has no value\. Leave the name out/],
    ["rules:\n  - {effect: reject, params: {repo: }}", /^policy\.yaml:2:\d+ has no value/],
    ["rules:\n  - {effect: reject, key: ~}", "2:27 /rules/0/key: key must not be empty: no write has such a name."],
    ['rules:\n  - {effect: reject, connector: [github, ""]}', "connector must not be empty: no write has such a name."],
    [`rules:\n  - {effect: reject, reason: "a\\u202eb"}`, /reason must be a line/],
    ["rules:\n  - {effect: reject, reason: 5}", "2:30 /rules/0/reason: reason must be a line of at most 200 visible characters."],
    [`rules:\n  - {effect: reject, reason: ${"a".repeat(201)}}`, /reason must be a line/],
    ["rules:\n  - {effect: reject, params: 1}", "2:30 /rules/0/params: params must be a mapping."],
    ["rules: [{effect: reject, key: *someone}]", "policy.yaml:1:31 *someone must have an anchor &someone before it."],
    [
      `rules: [&a {effect: reject}${", *a".repeat(10)}]`,
      "policy.yaml must have less than 10 aliases (*) of each anchor (&). Write the values out.",
    ],
    // As numbers, neither fits what is sent: a rule would be about nothing.
    [
      "rules:\n  - {effect: reject, params: {title: 1777900000.000100}}",
      "policy.yaml:2:38 1777900000.000100 is read as 1777900000.0001. Put it in quotes: patterns are compared as they are written.",
    ],
    ["rules:\n  - {effect: reject, params: {title: 9007199254740993}}", /2:38 9007199254740993 is read as 9007199254740992\./],
  ])("that is wrong is refused with place and reason: %j", (text, message) => {
    expect(() => readPolicy("policy.yaml", text, connectors)).toThrow(message);
  });

  it("may name fields of any connector, and patterns", () => {
    expect(policyOf([{ connector: "added-1", entity: "iss*", fields: "title", effect: "reject" }])).toHaveLength(1);
  });

  it("has bounds", () => {
    const rules = Array.from({ length: 501 }, () => ({ effect: "allow", reason: "a".repeat(200) }));
    expect(policyOf(rules.slice(1))).toEqual(rules.slice(1));
    expect(() => policyOf(rules)).toThrow("at most 500 rules");
    const keys = Array.from({ length: 101 }, () => "a".repeat(200));
    expect(policyOf([{ key: keys.slice(1), effect: "allow" }])).toHaveLength(1);
    expect(() => policyOf([{ key: keys, effect: "allow" }])).toThrow("a list of 1 to 100 texts");
    expect(() => policyOf([{ key: "a".repeat(201), effect: "allow" }])).toThrow("of at most 200 characters each");
    expect(readPolicy("policy.yaml", `rules: [&a {effect: reject}${", *a".repeat(9)}]`, connectors)).toHaveLength(10);
  });

  it("may have null in any of its forms", () => {
    const [rule] = readPolicy("policy.yaml", "rules: [{effect: reject, params: {milestone: ~}}]", connectors);
    expect(rule?.params).toEqual({ milestone: ["null"] });
  });

  it("is refused with at most 40 of the names that are allowed", () => {
    const all = [github, jira, linear, stripe];
    const rules = JSON.stringify({ rules: [{ effect: "allow", fields: "none of these" }] });
    expect(() => readPolicy("policy.yaml", rules, all)).toThrow(/ Allowed: (\w+, ){39}\w+\.$/);
  });

  it("may name of the connectors of a rule only what these have", () => {
    const other: Connector = { ...github, name: "other", entities: { tickets: github.entities["issues"] as Entity } };
    const read = (rule: object) => readPolicy("policy.yaml", JSON.stringify({ rules: [rule] }), [github, other]);
    const rule = { entity: "tickets", effect: "reject" };
    expect(read(rule)).toEqual([{ entity: ["tickets"], effect: "reject" }]);
    expect(() => read({ ...rule, connector: "github" })).toThrow('No write has the entity "tickets".');
    expect(read({ ...rule, connector: ["github", "other"] })).toHaveLength(1);
  });
});
