import { getNamedType, isNonNullType, isObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import { authenticate } from "../../../runtime/simulated/github/admit.ts";
import { publicSchema } from "../../../runtime/simulated/github/graphql/schema.ts";
import { ownerToken } from "../../../runtime/simulated/github/tokens.ts";
import { visibleNodes } from "../../../runtime/simulated/github/world/nodes.ts";
import { ask, data, errorTypes, hello, inHello, list, named, platform } from "./setup.ts";

const most = 40;

/** Ids of some records of each type. */
function idsByType(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const owner = authenticate(`bearer ${ownerToken}`, platform().world);
  if (owner === undefined) throw new Error("no owner");
  for (const { __typename: type, id } of visibleNodes(platform().world, owner)) {
    const ids = found.get(type) ?? new Set();
    // Of commits, the newest are those of pull requests.
    if (type === "Commit" && ids.size === most) ids.delete(ids.values().next().value ?? "");
    if (ids.size < most) found.set(type, ids.add(id));
  }
  return found;
}

function listsOf(type: string): string[] {
  const described = publicSchema().getType(type);
  if (!isObjectType(described)) return [];
  const found = Object.values(described.getFields()).filter(
    (field) =>
      getNamedType(field.type).name.endsWith("Connection") &&
      !field.args.some((argument) => isNonNullType(argument.type) && argument.defaultValue === undefined),
  );
  return found.map(({ name }) => name);
}

const page = "pageInfo { endCursor }";

describe("a cursor", () => {
  it("is refused by the same list of another record", async () => {
    const checked: string[] = [];
    for (const [type, all] of idsByType()) {
      const ids = [...all];
      for (const field of listsOf(type)) {
        const selection = (args: string) => `... on ${type} { list: ${field}(first: 1${args}) { ${page} } }`;
        // Some lists are not for this caller, such as collaborators where it may not push.
        const answer = await ask(`query($ids: [ID!]!) { nodes(ids: $ids) { ${selection("")} } }`, { ids });
        if (answer.status === 501) continue;
        const nodes = list(answer.body["data"]?.["nodes"]);
        const cursors = nodes.map((node) => node?.["list"]?.["pageInfo"]?.["endCursor"]);
        const at = cursors.findIndex((one) => typeof one === "string");
        const other = ids.find((_id, index) => index !== at);
        if (at < 0 || other === undefined) continue;
        const query = `query($id: ID!, $after: String) { node(id: $id) { ${selection(", after: $after")} } }`;
        const variables = { after: cursors[at] };
        expect(errorTypes((await ask(query, { ...variables, id: ids[at] })).body), `${type}.${field}`).toEqual([]);
        expect(errorTypes((await ask(query, { ...variables, id: other })).body), `${type}.${field}`).toEqual([
          "INVALID_CURSOR_ARGUMENTS",
        ]);
        checked.push(`${type}.${field}`);
      }
    }
    expect(checked.length).toBeGreaterThan(70);
    expect(checked).toContain("Commit.associatedPullRequests");
  });

  const item = (name: string, value: string) =>
    `organization(login: "tenon-labs") { projectV2(number: 1) { items(first: 100) { nodes { fieldValueByName(name: "${name}") { ... on ${value} } } } } }`;
  it.each([
    ["reactors", inHello(`issues(first: 100) { nodes { reactionGroups { reactors(first: 1, after: $after) { ${page} } } } }`)],
    ["labels", `{ ${item("Labels", `ProjectV2ItemFieldLabelValue { labels(first: 1, after: $after) { ${page} } }`)} }`],
    ["users", `{ ${item("Assignees", `ProjectV2ItemFieldUserValue { users(first: 1, after: $after) { ${page} } }`)} }`],
    [
      "reviewers",
      `{ ${item("Reviewers", `ProjectV2ItemFieldReviewerValue { reviewers(first: 1, after: $after) { ${page} } }`)} }`,
    ],
    [
      "pullRequests",
      `{ ${item("Linked pull requests", `ProjectV2ItemFieldPullRequestValue { pullRequests(first: 1, after: $after) { ${page} } }`)} }`,
    ],
  ])("of %s is refused by the lists of other records", async (field, selection) => {
    for (const pull of named("tenon-labs/widgets").pullRequests)
      for (const one of pull.projectItems) {
        const reviewers = one.project.fields.find(({ name }) => name === "Reviewers");
        if (reviewers === undefined) throw new Error("no field for reviewers");
        const users = hello().stargazers.map(({ user }) => user);
        one.values.push({ __typename: "ProjectV2ItemFieldReviewerValue", field: reviewers, item: one, reviewers: users });
      }
    const query = `query($after: String) ${selection}`;
    const all: string[] = [];
    JSON.stringify(await data(query), (key, value) => {
      if (key === field) all.push(value["pageInfo"]["endCursor"]);
      return value;
    });
    const cursor = all.find((one) => one !== null);
    expect(cursor).toBeDefined();
    const { body } = await ask(query, { after: cursor });
    expect(new Set(errorTypes(body))).toEqual(new Set(["INVALID_CURSOR_ARGUMENTS"]));
  });
});
