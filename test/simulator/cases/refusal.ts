import { describe, expect, it } from "vitest";
import { rest } from "../client.ts";
import { ask, data, errorTypes, hello, inHello, list, platform } from "./setup.ts";

/** Reads the same node so often. */
const nodes = (times: number, id: string) => `{ nodes(ids: ${JSON.stringify(Array(times).fill(id))}) { id } }`;

describe("GraphQL refusals", () => {
  it.each([
    ['repository(owner: "x", name: "y") { id }', "Could not resolve to a Repository with the name 'x/y'."],
    ['user(login: "nobody") { id }', "Could not resolve to a User with the login of 'nobody'."],
    ['organization(login: "octocat") { id }', "Could not resolve to an Organization with the login of 'octocat'."],
    ['node(id: "I_no") { id }', "Could not resolve to a node with the global id of 'I_no'."],
    [
      'organization(login: "tenon-labs") { projectV2(number: 99) { id } }',
      "Could not resolve to a ProjectV2 with the number 99.",
    ],
  ])("says that %s is not there", async (field, message) => {
    const { status, body } = await ask(`{ ${field} }`);
    expect(status).toBe(200);
    expect(body["errors"]).toMatchObject([{ type: "NOT_FOUND", message }]);
  });

  it.each([
    ["issueOrPullRequest(number: 9999) { __typename }", "an issue or pull request"],
    ["issue(number: 9999) { id }", "an Issue"],
    ["pullRequest(number: 1) { id }", "a PullRequest"],
    ["discussion(number: 1) { id }", "a Discussion"],
  ])("gives null and an error for %s", async (field, what) => {
    const { body } = await ask(inHello(field));
    expect(list(body["errors"])[0]).toMatchObject({ type: "NOT_FOUND", path: ["repository", field.split("(")[0]] });
    expect(String(list(body["errors"])[0]?.["message"])).toContain(`Could not resolve to ${what} with the number of`);
  });

  it.each([
    'ref(qualifiedName: "refs/heads/no") { id }',
    'label(name: "no") { id }',
    "milestone(number: 99) { id }",
    'release(tagName: "no") { id }',
    'object(expression: "HEAD:no") { id }',
  ])("gives plain null for %s", async (field) => {
    expect(Object.values((await data(inHello(field)))["repository"] ?? { a: 1 })).toEqual([null]);
  });

  it.each([
    ["undefinedField", "{ viewer { nope } }"],
    ["missingRequiredArguments", '{ repository(owner: "a") { id } }'],
    ["argumentNotAccepted", "{ viewer { login(a: 1) } }"],
    ["argumentLiteralsIncompatible", inHello('issue(number: "1") { id }')],
    ["variableNotUsed", "query($a: Int) { viewer { id } }"],
    ["variableNotDefined", inHello("issue(number: $n) { id }")],
    ["variableMismatch", 'query($n: String!) { repository(owner: "a", name: "b") { issue(number: $n) { id } } }'],
    ["selectionMismatch", "{ viewer }"],
    ["fieldConflict", "{ viewer { id: login id } }"],
  ])("refuses a document with %s", async (code, query) => {
    const { status, body } = await ask(query);
    expect(status).toBe(200);
    expect(body["data"]).toBeUndefined();
    expect(list(body["errors"])[0]?.["extensions"]?.["code"]).toBe(code);
    expect(list(body["errors"])[0]?.["type"]).toBeUndefined();
  });

  it.each([
    ["{ viewer { nope } }", "Field 'nope' doesn't exist on type 'User'"],
    ["{ viewer { id: login id } }", "Field 'id' has a field conflict"],
  ])("says in GitHub's words what is wrong in %s", async (query, message) => {
    expect(list((await ask(query)).body["errors"])).toMatchObject([{ message }]);
  });

  it.each(["yesterday", "2023-99-99", "Jan 1, 2023"])("refuses the time %j", async (since) => {
    const { body } = await ask(inHello(`issues(first: 1, filterBy: {since: "${since}"}) { totalCount }`));
    expect(list(body["errors"])[0]?.["extensions"]?.["code"]).toBe("argumentLiteralsIncompatible");
  });

  it("names the fragments around a mistake, of which one may have no type", async () => {
    const { body } = await ask("{ viewer { ... { ... on User { nope } } } }");
    expect(list(body["errors"])[0]?.["path"]).toEqual(["query", "viewer", "...", "... on User", "nope"]);
  });

  it("runs the operation that is named, where a document has several", async () => {
    const query = "query one { viewer { login } } query other { viewer { name } }";
    const { body } = await rest(platform(), "POST", "/graphql", { query, operationName: "other" });
    expect(body).toEqual({ data: { viewer: { name: "The Octocat" } } });
    expect(list((await ask(query)).body["errors"])).toHaveLength(1);
  });

  it("refuses a variable of the wrong type, a broken document and a body that is no JSON", async () => {
    const wrong = await ask(
      'query($n: Int!) { viewer { id } rateLimit { cost } repository(owner: "a", name: "b") { issue(number: $n) { id } } }',
      { n: "1" },
    );
    expect(list(wrong.body["errors"])[0]).toMatchObject({
      message: "Variable $n of type Int! was provided invalid value",
      extensions: { value: "1", problems: [{ path: [], explanation: expect.stringContaining("Int") }] },
    });
    expect(list((await ask("{ viewer {")).body["errors"])[0]?.["message"]).toContain("Parse error");
    expect((await rest(platform(), "POST", "/graphql", "{no")).status).toBe(400);
  });

  it.each([
    ["MISSING_PAGINATION_BOUNDARIES", inHello("issues { nodes { id } }")],
    ["EXCESSIVE_PAGINATION", inHello("issues(first: 101) { nodes { id } }")],
    ["EXCESSIVE_PAGINATION", inHello("issues(last: 101) { nodes { id } }")],
    ["ARGUMENT_LIMIT", inHello("issues(first: 0) { nodes { id } }")],
    ["ARGUMENT_LIMIT", nodes(101, "I_no")],
    ["EXCESSIVE_PAGINATION_BOUNDARIES", inHello("issues(first: 1, last: 1) { nodes { id } }")],
    [
      "MAX_NODE_LIMIT_EXCEEDED",
      inHello("issues(first: 100) { nodes { comments(first: 100) { nodes { reactions(first: 100) { nodes { id } } } } } }"),
    ],
    ["INVALID_CURSOR_ARGUMENTS", inHello('issues(first: 1, after: "") { nodes { id } }')],
    ["INVALID_CURSOR_ARGUMENTS", inHello('issues(first: 1, after: "nonsense") { nodes { id } }')],
  ])("refuses %s", async (type, query) => {
    expect(errorTypes((await ask(query)).body)).toEqual([type]);
  });

  it("takes a hundred ids at once, and says how many are too many", async () => {
    expect((await data(nodes(100, hello().id)))["nodes"]).toHaveLength(100);
    const { body } = await ask(nodes(101, hello().id));
    expect(body["data"]).toBeNull();
    expect(list(body["errors"])[0]?.["message"]).toBe("You may not provide more than 100 node ids; you provided 101.");
  });

  it("needs no page for a count, and counts half a million nodes as allowed", async () => {
    await data(inHello("issues { totalCount }"));
    await data(
      inHello("issues(first: 100) { nodes { comments(first: 49) { nodes { reactions(first: 100) { totalCount } } } } }"),
    );
  });
});
