import { getNamedType, isLeafType, isNonNullType, isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { authenticate } from "../../../runtime/simulated/github/admit.ts";
import { publicSchema } from "../../../runtime/simulated/github/graphql/schema.ts";
import { ownerToken } from "../../../runtime/simulated/github/tokens.ts";
import { visibleNodes } from "../../../runtime/simulated/github/world/nodes.ts";
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

  it.each([
    ["issues(first: 100, orderBy: {field: CREATED_AT, direction: DESC})", "createdAt", -1],
    ["issues(first: 100, orderBy: {field: UPDATED_AT, direction: ASC})", "updatedAt", 1],
    ["labels(first: 100, orderBy: {field: NAME, direction: ASC})", "name", 1],
    ["milestones(first: 100, orderBy: {field: NUMBER, direction: DESC})", "number", -1],
    ['refs(first: 100, refPrefix: "refs/heads/")', "name", 1],
    ["discussions(first: 100)", "updatedAt", -1],
  ])("orders %s", async (field, key, sign) => {
    const nodes = list((await data(inHello(`list: ${field} { nodes { ${key} } }`)))["repository"]?.["list"]?.["nodes"]);
    const values: unknown[] = nodes.map((node) => node[key]);
    const plain = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : Number(value));
    expect(values).toEqual([...values].sort((a, b) => (plain(a) < plain(b) ? -sign : plain(a) > plain(b) ? sign : 0)));
    expect(new Set(values).size).toBeGreaterThan(3);
  });

  it("filters by state, label, answer and fork", async () => {
    const { issues, pullRequests, discussions } = hello();
    const totals = await data(
      inHello(`closed: issues(states: [CLOSED]) { totalCount } both: issues(states: [OPEN, CLOSED]) { totalCount }
        bugs: issues(labels: ["bug"]) { totalCount } merged: pullRequests(states: MERGED) { totalCount }
        answered: discussions(answered: true) { totalCount } unanswered: discussions(answered: false) { totalCount }
        shut: discussions(states: [CLOSED]) { totalCount } goals: milestones(states: [OPEN]) { totalCount }`),
    );
    const answerable = discussions.filter((one) => one.category.isAnswerable);
    const expected = {
      closed: issues.filter((one) => one.state === "CLOSED").length,
      both: issues.length,
      bugs: issues.filter((one) => one.labels.some((label) => label.name === "bug")).length,
      merged: pullRequests.filter((one) => one.state === "MERGED").length,
      answered: answerable.filter((one) => one.answer !== null).length,
      unanswered: answerable.filter((one) => one.answer === null).length,
      shut: discussions.filter((one) => one.closed).length,
      goals: 2,
    };
    const found = Object.entries(totals["repository"] ?? {}).map(([name, value]) => [name, value["totalCount"]]);
    expect(Object.fromEntries(found)).toEqual(expected);
    expect(Object.values(expected).every((count) => count > 0)).toBe(true);
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

  it("counts the lines of a commit and of a pull request", async () => {
    const changed = hello().pullRequests.find(({ files }) => files.length > 1);
    const { commits = [], number, files = [] } = changed ?? {};
    const commit = commits.at(-1);
    const found = await data(
      inHello(`object(oid: "${commit?.oid}") { ... on Commit { additions deletions changedFiles } }
        pullRequest(number: ${number}) { additions deletions changedFiles }`),
    );
    const totals = (all: readonly { readonly additions: number; readonly deletions: number }[]) => {
      let [additions, deletions] = [0, 0];
      for (const one of all) {
        additions += one.additions;
        deletions += one.deletions;
      }
      return { additions, deletions, changedFiles: all.length };
    };
    expect(found["repository"]).toEqual({ object: totals(commit?.changes ?? []), pullRequest: totals(files) });
  });

  it("compares a branch with itself, with one that it began at, and with one that has other commits", async () => {
    const compare = (base: string, head: string) =>
      `ref(qualifiedName: "refs/heads/${base}") { compare(headRef: "${head}") { status aheadBy behindBy } }`;
    const found = await data(
      inHello(`same: ${compare("main", "main")} ahead: ${compare("fix-#42", "main")} behind: ${compare("main", "fix-#42")}
        diverged: ${compare("main", "wip-10")}`),
    );
    const results = Object.entries(found["repository"] ?? {}).map(([name, ref]) => {
      const { status, aheadBy, behindBy } = ref["compare"] ?? {};
      return [name, status, Number(aheadBy) > 0, Number(behindBy) > 0];
    });
    expect(results).toEqual([
      ["same", "IDENTICAL", false, false],
      ["ahead", "AHEAD", true, false],
      ["behind", "BEHIND", false, true],
      ["diverged", "DIVERGED", true, true],
    ]);
  });

  it("adds the repositories that a user collaborates on, unless asked for owned ones", async () => {
    const count = async (args: string) =>
      Number((await data(`{ viewer { repositories${args} { totalCount } } }`))["viewer"]?.["repositories"]?.["totalCount"]);
    expect(await count("")).toBe((await count("(ownerAffiliations: [OWNER])")) + 1);
  });

  it("finds the organization of a login, the options of some names and who has edited a text", async () => {
    const comments = hello().issues.flatMap((issue) => issue.comments);
    const edited = comments.find(({ lastEditedAt }) => lastEditedAt !== null);
    const unedited = comments.find(({ lastEditedAt }) => lastEditedAt === null);
    const options =
      'fields(first: 20) { nodes { ... on ProjectV2SingleSelectField { name all: options { name } some: options(names: ["Todo"]) { name } } } }';
    const found = await data(
      `{ viewer { organization(login: "tenon-labs") { login projectV2(number: 1) { ${options} } } other: organization(login: "nobody") { login } }
        nodes(ids: ["${edited?.id}", "${unedited?.id}"]) { ... on IssueComment { editor { login } } } }`,
    );
    const { organization, other } = found["viewer"] ?? {};
    expect([organization?.["login"], other]).toEqual(["tenon-labs", null]);
    const fields = list(organization?.["projectV2"]?.["fields"]?.["nodes"]).filter(({ name }) => String(name) === "Status");
    expect(fields).toMatchObject([{ some: [{ name: "Todo" }] }]);
    expect(list(fields[0]?.["all"]).length).toBeGreaterThan(1);
    expect(found["nodes"]).toEqual([{ editor: { login: edited?.author?.login } }, { editor: null }]);
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
