import { describe, expect, it } from "vitest";
import type { Issue } from "../../../runtime/simulated/github/world/issue.ts";
import { data, hello, list } from "./setup.ts";

type Kind = "ISSUE" | "REPOSITORY" | "USER" | "DISCUSSION";

/** What a search finds: names of repositories, logins, titles of discussions, or ids. */
async function search(type: Kind, query: string): Promise<unknown[]> {
  const found = await data(
    `query($query: String!) { search(type: ${type}, query: $query, first: 100) { nodes { ... on Repository { nameWithOwner }
      ... on User { login } ... on Organization { login } ... on Discussion { title } ... on Issue { id } ... on PullRequest { id } } } }`,
    { query },
  );
  return list(found["search"]?.["nodes"]).flatMap((node) => Object.values(node));
}

const main = "octocat/hello-world";

describe("a search for repositories", () => {
  it.each([
    ["pushed:>2023-06-01", [main]],
    ["pushed:<2020-01-01", ["Codertocat/Hello-World"]],
    ["archived:true", ["octocat/archive-box"]],
    ["archived:false user:tenon-labs is:private", ["tenon-labs/api"]],
    ["fork:only", ["octocat/widgets"]],
    ["fork:true widgets in:name", ["tenon-labs/widgets", "octocat/widgets"]],
    ["fork:other widgets in:name", []],
    ["is:nonsense", []],
    ["nonsense:1", []],
    ["stars:>5", [main]],
    ["stars:>6", [main]],
    ["stars:>7", []],
    ["stars:>=7", [main]],
    ["stars:<5 stars:>0", ["Codertocat/Hello-World"]],
    ["stars:<=2 stars:>0", ["Codertocat/Hello-World"]],
    ["stars:<=6 stars:>=6", []],
    ["stars:5", ["tenon-labs/widgets"]],
    ["created:2023-01-02", [main]],
    ["created:>2023-01-02", []],
    ["created:<2020-01-01", ["Codertocat/Hello-World"]],
  ])("%s", async (query, names) => {
    expect(await search("REPOSITORY", query)).toEqual(names);
  });
});

describe("a search for accounts", () => {
  it.each([
    ["location:PARIS", ["monalisa"]],
    ["followers:>3", ["noor-al-din"]],
    ["followers:0 type:org", ["tenon-labs", "quiet-org", "Paper-Guild"]],
    ["nonsense:1", []],
  ])("%s", async (query, names) => {
    expect(await search("USER", query)).toEqual(names);
  });
});

describe("a search for discussions", () => {
  const inMain = (name: string) =>
    hello()
      .discussions.filter(({ category }) => category.name === name)
      .map(({ title }) => title);
  it("finds those of a category", async () => {
    expect(await search("DISCUSSION", `repo:${main} category:announcements`)).toEqual(inMain("Announcements"));
    expect(inMain("Announcements").length).toBeGreaterThan(0);
  });

  it.each(["is:nonsense", "nonsense:announcements"])("finds none with %s", async (query) => {
    expect(await search("DISCUSSION", query)).toEqual([]);
  });
});

describe("a search for issues and pull requests", () => {
  it.each<[string, (one: Issue) => boolean]>([
    ["no:label", ({ labels }) => labels.length === 0],
    ["no:assignee", ({ assignees }) => assignees.length === 0],
    ["no:milestone", ({ milestone }) => milestone === null],
    ["closed:>2000-01-01", ({ closedAt }) => closedAt !== null],
    ['reason:"not planned"', ({ stateReason }) => stateReason === "NOT_PLANNED"],
    ["no:nonsense", () => false],
    ["is:nonsense", () => false],
    ["nonsense:1", () => false],
  ])("finds issues with %s", async (query, fits) => {
    const ids = hello()
      .issues.filter(fits)
      .map(({ id }) => id);
    const found = await search("ISSUE", `repo:${main} is:issue ${query}`);
    expect(found.toSorted()).toEqual(ids.toSorted().slice(0, 100));
    expect(ids.length).toBeLessThan(100);
  });

  it("finds no pull request by the reason for which an issue was closed", async () => {
    const closed = hello()
      .issues.filter(({ stateReason }) => stateReason === "NOT_PLANNED")
      .map(({ id }) => id);
    expect((await search("ISSUE", `repo:${main} reason:"not planned"`)).toSorted()).toEqual(closed.toSorted());
  });

  it.each([
    ["created-asc", "createdAt", 1],
    ["created", "createdAt", -1],
    ["updated-asc", "updatedAt", 1],
    ["updated-desc", "updatedAt", -1],
  ] as const)("sorts by %s, and leaves what is of one time as it was", async (sort, key, sign) => {
    const all = hello().pullRequests.slice(0, 6);
    for (const [index, pull] of all.entries()) Object.assign(pull, { [key]: `2026-01-0${1 + (index % 3)}T00:00:00Z` });
    const wanted = new Set(all.map(({ id }) => id));
    const among = async (query: string) =>
      (await search("ISSUE", `repo:${main} is:pr ${query}`)).map(String).filter((id) => wanted.has(id));
    const at = (id: string) => Date.parse(all.find((one) => one.id === id)?.[key] ?? "");
    const plain = await among("");
    expect(plain).toHaveLength(6);
    expect(await among(`sort:${sort}`)).toEqual(plain.toSorted((a, b) => sign * (at(a) - at(b))));
  });
});
