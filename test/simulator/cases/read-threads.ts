import { describe, expect, it } from "vitest";
import type { Reaction } from "../../../runtime/simulated/github/world/issue.ts";
import { rest } from "../client.ts";
import { data, hello, inHello, list, platform } from "./setup.ts";

/** What is in hello's part of the answer. */
const read = async (selection: string) => (await data(inHello(selection)))["repository"] ?? {};
const totals = async (selections: Readonly<Record<string, string>>) => {
  const found = await read(
    Object.entries(selections)
      .map(([name, one]) => `${name}: ${one} { totalCount }`)
      .join(" "),
  );
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, value["totalCount"]]));
};

describe("issues", () => {
  it("are listed by who is assigned, by nobody, by anybody, and by when they changed", async () => {
    const { issues } = hello();
    const changed = issues.map(({ updatedAt }) => updatedAt).toSorted()[20] ?? "";
    const found = await totals({
      none: "issues(filterBy: {assignee: null})",
      any: 'issues(filterBy: {assignee: "*"})',
      one: 'issues(filterBy: {assignee: "monalisa"})',
      since: `issues(filterBy: {since: "${changed}"})`,
    });
    expect(found).toEqual({
      none: issues.filter(({ assignees }) => assignees.length === 0).length,
      any: issues.filter(({ assignees }) => assignees.length > 0).length,
      one: issues.filter(({ assignees }) => assignees.some(({ login }) => login === "monalisa")).length,
      since: issues.filter(({ updatedAt }) => updatedAt >= changed).length,
    });
    expect(new Set(Object.values(found)).size).toBe(4);
  });

  it("show their reactions, and what the caller thinks of them", async () => {
    const issue = hello().issues.find(
      ({ reactions }) =>
        reactions.some(({ user }) => user.login === "octocat") && new Set(reactions.map(({ content }) => content)).size > 1,
    );
    const given = issue?.reactions ?? [];
    const mine = given.find(({ user }) => user.login === "octocat")?.content;
    const other = given.find(({ content }) => content !== mine)?.content;
    const found = await read(
      `issue(number: ${issue?.number}) { reactions(content: ${other}) { totalCount viewerHasReacted }
        reactionGroups { content createdAt viewerHasReacted reactors(first: 9) { edges { reactedAt } nodes { ... on User { login } } } } }`,
    );
    const of = (content: unknown) => given.filter((one: Reaction) => one.content === content);
    expect(found["issue"]?.["reactions"]).toEqual({ totalCount: of(other).length, viewerHasReacted: false });
    const groups = list(found["issue"]?.["reactionGroups"]);
    expect(groups).toHaveLength(8);
    for (const group of groups) {
      const own = of(group["content"]);
      expect(group).toEqual({
        content: group["content"],
        createdAt: own[0]?.createdAt ?? null,
        viewerHasReacted: String(group["content"]) === mine,
        reactors: {
          edges: own.map(({ createdAt }) => ({ reactedAt: createdAt })),
          nodes: own.map(({ user: { login } }) => ({ login })),
        },
      });
    }
  });

  it("name the pull requests that close them, and those name the issues", async () => {
    const pull = hello().pullRequests.find(({ closingIssues }) => closingIssues.length > 0);
    const [issue] = pull?.closingIssues ?? [];
    const found = await read(
      `issue(number: ${issue?.number}) { closedByPullRequestsReferences(first: 5) { nodes { number } } }
        pullRequest(number: ${pull?.number}) { closingIssuesReferences(first: 5) { nodes { number } } }`,
    );
    expect(found).toEqual({
      issue: { closedByPullRequestsReferences: { nodes: [{ number: pull?.number }] } },
      pullRequest: { closingIssuesReferences: { nodes: [{ number: issue?.number }] } },
    });
  });
});

describe("pull requests", () => {
  it("have no branch where it is gone, and no owner of a fork that is gone", async () => {
    const open = hello().pullRequests.find(({ state }) => state === "OPEN");
    const merged = hello().pullRequests.find(({ state }) => state === "MERGED");
    const orphan = hello().pullRequests.find(({ headRepository }) => headRepository === null);
    const sides = "baseRef { name } headRef { name } headRepositoryOwner { login }";
    const one = (name: string, pull: { readonly number: number } | undefined) =>
      `${name}: pullRequest(number: ${pull?.number}) { ${sides} }`;
    Object.assign(merged ?? {}, { baseRefName: "gone" });
    const owner = { login: "octocat" };
    expect(await read(`${one("open", open)} ${one("merged", merged)} ${one("orphan", orphan)}`)).toEqual({
      open: { baseRef: { name: "main" }, headRef: { name: open?.headRefName }, headRepositoryOwner: owner },
      merged: { baseRef: null, headRef: null, headRepositoryOwner: owner },
      orphan: { baseRef: { name: "main" }, headRef: null, headRepositoryOwner: null },
    });
  });

  it("show the reviews of one person, and the caller's last one", async () => {
    const pull = hello().pullRequests.find(({ reviews }) => new Set(reviews.map(({ state }) => state)).size === 5);
    const none = hello().pullRequests.find(({ reviews }) => reviews.every(({ author }) => author?.login !== "octocat"));
    const login = pull?.reviews.find(({ author }) => author?.__typename === "User" && author.login !== "octocat")?.author?.login;
    const found = await read(
      `pullRequest(number: ${pull?.number}) { viewerLatestReview { state } reviews(author: "${login}") { totalCount } }
        none: pullRequest(number: ${none?.number}) { viewerLatestReview { state } }`,
    );
    const total = pull?.reviews.filter(({ author }) => author?.login === login).length;
    expect(found).toEqual({
      pullRequest: { viewerLatestReview: { state: "PENDING" }, reviews: { totalCount: total } },
      none: { viewerLatestReview: null },
    });
    expect(total).toBeLessThan(Number(pull?.reviews.length) - 1);
  });

  it("list their files, which nobody has viewed", async () => {
    const pull = hello().pullRequests.find(({ files }) => files.length > 1);
    const found = await read(`pullRequest(number: ${pull?.number}) { files(first: 9) { nodes { path viewerViewedState } } }`);
    const nodes = pull?.files.map(({ path }) => ({ path, viewerViewedState: "UNVIEWED" }));
    expect(found["pullRequest"]).toEqual({ files: { nodes } });
  });

  it("have comments on whole files, which are at the first line", async () => {
    const pull = hello().pullRequests.find(({ reviewThreads }) => reviewThreads.length > 0);
    const [thread] = pull?.reviewThreads ?? [];
    Object.assign(thread ?? {}, { line: null, originalLine: null, subjectType: "FILE" });
    const fields = "originalPosition originalLine subjectType";
    const found = await read(
      `pullRequest(number: ${pull?.number}) { reviewThreads(first: 1) { nodes { comments(first: 1) { nodes { ${fields} } } } } }`,
    );
    const nodes = [{ comments: { nodes: [{ originalPosition: 1, originalLine: null, subjectType: "FILE" }] } }];
    expect(found["pullRequest"]).toEqual({ reviewThreads: { nodes } });
  });

  it("say nothing of who asked for a review on whose behalf", async () => {
    const pull = hello().pullRequests.find(({ reviews }) => reviews.length > 0);
    const found = await read(
      `pullRequest(number: ${pull?.number}) { reviews(first: 1) { nodes { onBehalfOf { totalCount } } } }`,
    );
    expect(found["pullRequest"]).toEqual({ reviews: { nodes: [{ onBehalfOf: { totalCount: 0 } }] } });
  });
});

describe("milestones", () => {
  it("say over REST how many of their issues and pull requests are open and closed", async () => {
    const issue = hello().issues.find(({ milestone }) => milestone !== null);
    const { body } = await rest(platform(), "PATCH", `/repos/octocat/hello-world/issues/${issue?.number}`, { state: "closed" });
    const all = [...hello().issues, ...hello().pullRequests].filter(({ milestone }) => milestone === issue?.milestone);
    const open = all.filter(({ state }) => state === "OPEN").length;
    expect(body["milestone"]).toMatchObject({ open_issues: open, closed_issues: all.length - open });
    expect(open).toBeGreaterThan(0);
  });

  it("count their pull requests, and how much of them is done", async () => {
    const [milestone] = hello().milestones;
    if (milestone === undefined) throw new Error("no milestone");
    hello().milestones.push({ ...milestone, id: "MI_empty", number: 99 });
    const fields = "progressPercentage pullRequests { totalCount } issues { totalCount }";
    const found = await read(`some: milestone(number: 1) { ${fields} } empty: milestone(number: 99) { ${fields} }`);
    const pulls = hello().pullRequests.filter((one) => one.milestone === milestone);
    const all = [...pulls, ...hello().issues.filter((one) => one.milestone === milestone)];
    expect(found).toEqual({
      some: {
        progressPercentage: (100 * all.filter(({ state }) => state !== "OPEN").length) / all.length,
        pullRequests: { totalCount: pulls.length },
        issues: { totalCount: all.length - pulls.length },
      },
      empty: { progressPercentage: 0, pullRequests: { totalCount: 0 }, issues: { totalCount: 0 } },
    });
    expect(pulls.length).toBeGreaterThan(0);
  });
});

describe("discussions", () => {
  it("are in categories, which have a name for addresses", async () => {
    const category = hello().discussionCategories.find(({ slug }) => slug === "q-a");
    const found = await read(
      `discussions(categoryId: "${category?.id}") { totalCount } discussionCategories(first: 9) { nodes { slug } }
        discussionCategory(slug: "q-a") { name } none: discussionCategory(slug: "nope") { name }`,
    );
    const total = hello().discussions.filter((one) => one.category === category).length;
    expect(found).toEqual({
      discussions: { totalCount: total },
      discussionCategories: { nodes: [{ slug: "announcements" }, { slug: "q-a" }, { slug: "show-and-tell" }] },
      discussionCategory: { name: "Q&A" },
      none: null,
    });
    expect(total).toBeLessThan(hello().discussions.length);
  });
});
