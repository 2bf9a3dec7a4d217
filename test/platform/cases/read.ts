import { getNamedType, isLeafType, isNonNullType, isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { authenticate } from "../authenticate.ts";
import { rest } from "../client.ts";
import { publicSchema } from "../graphql/schema.ts";
import { ownerToken } from "../tokens.ts";
import { visibleNodes } from "../world/nodes.ts";
import { ask, data, errorTypes, hello, inHello, list, platform } from "./setup.ts";

describe("GraphQL reads", () => {
  it("answers every plain field of every kind of record that a caller reads", async () => {
    const schema = publicSchema();
    const owner = authenticate(`bearer ${ownerToken}`, platform().world);
    if (owner === undefined) throw new Error("no owner");
    const samples = new Map<string, string>();
    for (const node of visibleNodes(platform().world, owner))
      if (!samples.has(node.__typename)) samples.set(node.__typename, node.id);
    const money = /sponsor|announcement|pinn|ipAllow|billing|restriction|anyPinnable|discussions(Url|Res)|newTeam|viewerMerge/i;
    for (const [name, id] of samples) {
      const type = schema.getType(name);
      if (!isObjectType(type) || name === "Topic" || name === "ReleaseAsset") continue;
      const fields = Object.values(type.getFields()).filter(
        (field) =>
          isLeafType(getNamedType(field.type)) &&
          !field.args.some((argument) => isNonNullType(argument.type)) &&
          !money.test(field.name),
      );
      const selection = fields.map((field) => field.name).join(" ");
      await data(`query($id: ID!) { node(id: $id) { ... on ${name} { ${selection} } } }`, { id });
    }
  });

  it("fails loudly where it has no data", async () => {
    const { status, body } = await ask("{ viewer { gists(first: 1) { totalCount } } }");
    expect(status).toBe(501);
    expect(body["message"]).toBe("the simulated platform has no data for User.gists");
  });

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

  it("refuses a variable of the wrong type, a broken document and a body that is no JSON", async () => {
    const wrong = await ask(
      'query($n: Int!) { viewer { id } rateLimit { cost } repository(owner: "a", name: "b") { issue(number: $n) { id } } }',
      { n: "1" },
    );
    expect(list(wrong.body["errors"])[0]?.["message"]).toBe("Variable $n of type Int! was provided invalid value");
    expect(list((await ask("{ viewer {")).body["errors"])[0]?.["message"]).toContain("Parse error");
    expect((await rest(platform(), "POST", "/graphql", "{no")).status).toBe(400);
  });

  it.each([
    ["MISSING_PAGINATION_BOUNDARIES", inHello("issues { nodes { id } }")],
    ["EXCESSIVE_PAGINATION", inHello("issues(first: 101) { nodes { id } }")],
    ["EXCESSIVE_PAGINATION", inHello("issues(last: 101) { nodes { id } }")],
    ["ARGUMENT_LIMIT", inHello("issues(first: 0) { nodes { id } }")],
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

  it("needs no page for a count, and counts half a million nodes as allowed", async () => {
    await data(inHello("issues { totalCount }"));
    await data(
      inHello("issues(first: 100) { nodes { comments(first: 49) { nodes { reactions(first: 100) { totalCount } } } } }"),
    );
  });

  it("refuses a cursor of another list or of other arguments", async () => {
    const first = await data(inHello("issues(first: 1) { pageInfo { endCursor } }"));
    const after = first["repository"]?.["issues"]?.["pageInfo"]?.["endCursor"];
    const again = (field: string) => ask(`query($after: String) ${inHello(`${field} { nodes { id } }`)}`, { after });
    expect(errorTypes((await again("issues(first: 1, after: $after)")).body)).toEqual([]);
    expect(errorTypes((await again("issues(first: 1, after: $after, states: OPEN)")).body)).toEqual(["INVALID_CURSOR_ARGUMENTS"]);
    expect(errorTypes((await again("pullRequests(first: 1, after: $after)")).body)).toEqual(["INVALID_CURSOR_ARGUMENTS"]);
  });

  it.each([
    ["issues", "", 33],
    ["issues", "states: CLOSED, orderBy: {field: UPDATED_AT, direction: DESC}", 10],
    ["pullRequests", "states: [OPEN, MERGED]", 7],
    ["discussions", "answered: true", 2],
    ["refs", 'refPrefix: "refs/tags/", orderBy: {field: TAG_COMMIT_DATE, direction: DESC}', 2],
    ["labels", "orderBy: {field: NAME, direction: ASC}", 3],
    ["releases", "", 2],
    ["stargazers", "", 3],
  ])("walks %s(%s) forwards and backwards without a gap or a repeat", async (field, args, size) => {
    const seen: string[] = [];
    const walk = async (bound: string, cursor: string, info: string, end: string) => {
      const nodes: string[] = [];
      for (let at: unknown = null, more = true; more; ) {
        const given = [args, `${bound}: ${size}`, at === null ? "" : `${cursor}: ${JSON.stringify(at)}`]
          .filter(Boolean)
          .join(", ");
        const page = (await data(inHello(`${field}(${given}) { totalCount nodes { id } pageInfo { ${info} ${end} } }`)))[
          "repository"
        ]?.[field];
        const ids = list(page?.["nodes"]).map((node) => String(node["id"]));
        nodes.push(...(bound === "first" ? ids : ids.reverse()));
        more = Boolean(page?.["pageInfo"]?.[info]);
        at = page?.["pageInfo"]?.[end];
        seen.push(String(page?.["totalCount"]));
      }
      return nodes;
    };
    const forwards = await walk("first", "after", "hasNextPage", "endCursor");
    const backwards = await walk("last", "before", "hasPreviousPage", "startCursor");
    expect(new Set(forwards).size).toBe(forwards.length);
    expect(new Set(seen)).toEqual(new Set([String(forwards.length)]));
    expect(backwards).toEqual(forwards.reverse());
    expect(forwards.length).toBeGreaterThan(size);
  });

  it("goes on after the record of a cursor, whatever was added before it", async () => {
    const query = (after: unknown) =>
      inHello(
        `issues(first: 2${after === null ? "" : `, after: ${JSON.stringify(after)}`}) { nodes { number } pageInfo { endCursor } }`,
      );
    const first = (await data(query(null)))["repository"]?.["issues"];
    const next = hello().issues[2]?.number;
    const [removed] = hello().issues.splice(0, 1);
    expect(removed).toBeDefined();
    const second = (await data(query(first?.["pageInfo"]?.["endCursor"])))["repository"]?.["issues"];
    expect(list(second?.["nodes"])[0]?.["number"]).toBe(next);
  });

  it("adds the repositories that a user collaborates on, unless asked for owned ones", async () => {
    const count = async (args: string) =>
      Number((await data(`{ viewer { repositories${args} { totalCount } } }`))["viewer"]?.["repositories"]?.["totalCount"]);
    expect(await count("")).toBe((await count("(ownerAffiliations: [OWNER])")) + 1);
  });

  it("answers null for a number that has outgrown Int and the whole of it as text", async () => {
    const issue = hello().issues.find((one) => one.databaseId > 2 ** 31);
    const answer = await data(inHello(`issue(number: ${issue?.number}) { databaseId fullDatabaseId }`));
    expect(answer["repository"]?.["issue"]).toEqual({ databaseId: null, fullDatabaseId: String(issue?.databaseId) });
  });

  it("serves text, nothing, bytes, much and links", async () => {
    const blob = "... on Blob { text isBinary isTruncated byteSize }";
    const answer = await data(
      inHello(`big: object(expression: "HEAD:big.txt") { ${blob} } empty: object(expression: "main:empty.txt") { ${blob} }
        logo: object(expression: "HEAD:logo.png") { ${blob} } odd: object(expression: "HEAD:docs/ünïcode/日本語.md") { ${blob} }
        old: object(expression: "v0.1.0:README.md") { ${blob} } root: object(expression: "HEAD:") { __typename }
        vendor: object(expression: "HEAD:vendor") { ... on Tree { entries { name type oid object { id } } } }`),
    );
    const found = answer["repository"] ?? {};
    expect(found["big"]).toMatchObject({ isTruncated: true });
    expect(Buffer.byteLength(String(found["big"]?.["text"]))).toBeLessThanOrEqual(512_000);
    expect(Number(found["big"]?.["byteSize"])).toBeGreaterThan(512_000);
    expect(found["empty"]).toEqual({ text: "", isBinary: false, isTruncated: false, byteSize: 0 });
    expect(found["logo"]).toMatchObject({ text: null, isBinary: true });
    expect(found["odd"]).toMatchObject({ text: "こんにちは\n" });
    expect(String(found["old"]?.["text"])).toContain("first version");
    expect(found["root"]).toEqual({ __typename: "Tree" });
    expect(found["vendor"]?.["entries"]).toMatchObject([{ name: "lib", type: "commit", object: null }]);
  });

  it("has no default branch in an empty repository", async () => {
    const answer = await data(
      '{ repository(owner: "octocat", name: "empty") { isEmpty pushedAt defaultBranchRef { name } object(expression: "HEAD:") { id } } }',
    );
    expect(answer["repository"]).toEqual({ isEmpty: true, pushedAt: null, defaultBranchRef: null, object: null });
  });

  it("follows commits by path", async () => {
    const history = (path: string) =>
      `defaultBranchRef { target { ... on Commit { history(first: 100, path: "${path}") { totalCount nodes { oid } } } } }`;
    const target = async (path: string) =>
      (await data(inHello(history(path))))["repository"]?.["defaultBranchRef"]?.["target"]?.["history"];
    const [some, none] = [await target("src/parser"), await target("src/pars")];
    const touched = list(some?.["nodes"]).map((node) => hello().objects.get(String(node["oid"])));
    expect(touched.length).toBeGreaterThan(10);
    expect(
      touched.every((one) => one?.__typename === "Commit" && one.changes.some((change) => change.path.startsWith("src/parser/"))),
    ).toBe(true);
    expect(none?.["totalCount"]).toBe(0);
  });

  it("follows a renamed repository", async () => {
    const answer = await data('{ repository(owner: "octocat", name: "old-notes") { nameWithOwner } }');
    expect(answer["repository"]?.["nameWithOwner"]).toBe("octocat/renamed-notes");
  });
});
