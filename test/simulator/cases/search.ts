import { describe, expect, it } from "vitest";
import { ownerToken, readerToken } from "../../../runtime/simulated/github/tokens.ts";
import { data, hello, list } from "./setup.ts";

describe("search", () => {
  const search = async (type: string, query: string, count: string, token = ownerToken) => {
    const found = await data(
      `query($query: String!) { search(type: ${type}, query: $query, first: 100) { ${count} nodes { __typename ... on Node { id }
        ... on Issue { title state author { login } labels(first: 20) { nodes { name } } } ... on PullRequest { title } ... on Repository { nameWithOwner } ... on User { login } ... on Organization { login } } } }`,
      { query },
      token,
    );
    return { count: Number(found["search"]?.[count]), nodes: list(found["search"]?.["nodes"]) };
  };

  it("mixes issues and pull requests unless told which", async () => {
    const kinds = async (query: string) =>
      new Set((await search("ISSUE", query, "issueCount")).nodes.map((node) => node["__typename"]));
    expect(await kinds("repo:octocat/hello-world parser")).toEqual(new Set(["Issue", "PullRequest"]));
    expect(await kinds("repo:octocat/hello-world parser is:pr")).toEqual(new Set(["PullRequest"]));
    expect(await kinds("(repo:octocat/hello-world OR repo:tenon-labs/widgets) is:issue")).toEqual(new Set(["Issue"]));
  });

  it("reads qualifiers, phrases, negation and OR", async () => {
    const all = await search("ISSUE", "repo:octocat/hello-world is:issue", "issueCount");
    const open = await search("ISSUE", "repo:octocat/hello-world is:issue is:open", "issueCount");
    const notOpen = await search("ISSUE", "repo:octocat/hello-world is:issue NOT is:open", "issueCount");
    const minus = await search("ISSUE", "repo:octocat/hello-world is:issue -is:open", "issueCount");
    expect(open.count + notOpen.count).toBe(all.count);
    expect(minus.count).toBe(notOpen.count);
    const labelled = await search("ISSUE", 'repo:octocat/hello-world is:issue label:"good first issue"', "issueCount");
    expect(labelled.count).toBe(
      hello().issues.filter((issue) => issue.labels.some((label) => label.name === "good first issue")).length,
    );
    const phrase = await search("ISSUE", '"Found a bug" in:title', "issueCount");
    expect(phrase.nodes.map((node) => node["title"])).toEqual(["Found a bug"]);
    const either = await search("ISSUE", "repo:octocat/hello-world is:issue (author:hubot OR author:octocat)", "issueCount");
    expect(new Set(either.nodes.map((node) => node["author"]?.["login"]))).toEqual(new Set(["hubot", "octocat"]));
  });

  it("compares stars and finds by language and topic", async () => {
    const names = async (query: string) =>
      (await search("REPOSITORY", query, "repositoryCount")).nodes.map((node) => node["nameWithOwner"]);
    expect(await names("stars:>=7")).toEqual(["octocat/hello-world"]);
    expect(await names("stars:2..5")).toEqual(["tenon-labs/widgets", "Codertocat/Hello-World"]);
    expect(await names("language:rust topic:graphql")).toEqual(["tenon-labs/widgets"]);
  });

  it("finds organizations among users and hides what is private", async () => {
    expect(new Set((await search("USER", "e", "userCount")).nodes.map((node) => node["__typename"]))).toEqual(
      new Set(["User", "Organization"]),
    );
    expect((await search("REPOSITORY", "is:private", "repositoryCount")).count).toBeGreaterThan(0);
    expect((await search("REPOSITORY", "is:private", "repositoryCount", readerToken)).count).toBe(0);
  });

  it("counts everything and lets the first thousand be walked", async () => {
    const [first] = hello().issues;
    if (first === undefined) throw new Error("no issue");
    for (let index = 0; index < 1100; index++) hello().issues.push({ ...first, id: `I_copy${index}`, title: "copied" });
    const found = await data(
      '{ search(type: ISSUE, query: "copied in:title", last: 1) { issueCount edges { cursor } pageInfo { hasNextPage } } }',
    );
    expect(found["search"]).toMatchObject({ issueCount: 1100, pageInfo: { hasNextPage: false } });
    const cursor = Buffer.from(String(list(found["search"]?.["edges"])[0]?.["cursor"]), "base64").toString();
    expect(cursor.split(":")[3]).toBe("999");
  });
});
