import { describe, expect, it } from "vitest";
import { canRead } from "../../runtime/simulated/github/access.ts";
import type { Issue, PullRequest } from "../../runtime/simulated/github/world/issue.ts";
import { discussionRecord, issueRecord } from "./records/issue.ts";
import { userRecord } from "./records/organization.ts";
import { pullRecord } from "./records/pull.ts";
import { repositoryRecord } from "./records/repository.ts";
import type { Facts, ListCase } from "./support/case.ts";
import { checkLists } from "./support/check-list.ts";
import { good, list, useTenon } from "./support/service.ts";
import { hello, sorted, user } from "./support/world.ts";

// `api_search`: the platform's own search, record by record.

const running = useTenon();
const inHello = "repo:octocat/hello-world";

const newest = <T extends Issue | PullRequest>(threads: readonly T[]) => sorted(threads, (one) => one.number, "DESC");
const issues = ({ world }: Facts) => newest(hello(world).issues);
const pulls = ({ world }: Facts) => newest(hello(world).pullRequests);
const labelled = (one: Issue | PullRequest, name: string) => one.labels.some((label) => label.name === name);
const open = (one: Issue | PullRequest) => one.state === "OPEN";

const lists: readonly ListCase[] = [
  {
    entity: "repositories",
    note: "leaves out forks, as GitHub does",
    action: "api_search",
    size: "limit",
    params: { query: "user:octocat" },
    expected: ({ world, viewer }) =>
      world.repositories
        .filter((one) => one.owner.login === "octocat" && one.parent === null)
        .map((one) => repositoryRecord(one, viewer.user)),
  },
  {
    entity: "repositories",
    note: "by topic",
    action: "api_search",
    size: "limit",
    params: { query: "topic:graphql language:rust" },
    expected: ({ world, viewer }) =>
      world.repositories
        .filter((one) => canRead(viewer, one) && one.parent === null && one.topics.some((topic) => topic.name === "graphql"))
        .filter((one) => one.languages.some(({ language }) => language.name === "Rust"))
        .map((one) => repositoryRecord(one, viewer.user)),
  },
  {
    entity: "issues",
    action: "api_search",
    params: { query: inHello },
    sizes: [7, 100],
    expected: (facts) => issues(facts).map(issueRecord),
  },
  {
    entity: "issues",
    note: "with qualifiers",
    action: "api_search",
    params: { query: `${inHello} is:open label:"good first issue"` },
    expected: (facts) =>
      issues(facts)
        .filter((one) => open(one) && labelled(one, "good first issue"))
        .map(issueRecord),
  },
  {
    entity: "issues",
    // Without parentheses the type of the record would belong to the second half only.
    note: "with OR",
    action: "api_search",
    params: { query: `${inHello} label:bug OR ${inHello} label:documentation` },
    sizes: [7],
    expected: (facts) =>
      issues(facts)
        .filter((one) => labelled(one, "bug") || labelled(one, "documentation"))
        .map(issueRecord),
  },
  {
    entity: "pull_requests",
    action: "api_search",
    params: { query: inHello },
    sizes: [7, 100],
    expected: (facts) => pulls(facts).map(pullRecord),
  },
  {
    entity: "pull_requests",
    note: "with OR",
    action: "api_search",
    params: { query: `(${inHello} is:draft) OR (${inHello} is:merged)` },
    sizes: [7],
    expected: (facts) =>
      pulls(facts)
        .filter((one) => one.isDraft || one.state === "MERGED")
        .map(pullRecord),
  },
  {
    entity: "users",
    note: "gives no organizations",
    action: "api_search",
    size: "limit",
    // The organization with this name is found by GitHub too.
    params: { query: "mona OR tenon" },
    expected: (facts) => [userRecord(user(facts.world, "monalisa"), facts.world, facts.viewer)],
  },
  {
    entity: "discussions",
    action: "api_search",
    params: { query: `${inHello} is:closed` },
    expected: ({ world }) =>
      hello(world)
        .discussions.filter((one) => one.closed)
        .map(discussionRecord),
  },
];

checkLists(running, lists);

describe("a search with many results", () => {
  /** So many users whom a search for "crowd" finds. */
  function crowd(count: number): void {
    const { world } = running.platform;
    const sample = user(world, "hubot");
    world.users = world.users.filter((one) => !one.login.startsWith("crowd-"));
    for (let index = 0; index < count; index++)
      world.users.push({ ...sample, id: `U_crowd${index}`, databaseId: 70_000_000 + index, login: `crowd-${index}` });
  }
  const search = async (params: object) =>
    good(await running.tenon.run("users", "api_search", { query: "crowd", fields: ["login"], ...params }));
  const logins = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => ({ login: `crowd-${from + index}` }));
  const pages = () => running.platform.requests.length;

  it.each([
    [101, 2],
    [200, 2],
    [250, 3],
    [1000, 3],
  ])("walks pages of the platform for a limit of %i", async (limit, calls) => {
    crowd(230);
    const before = pages();
    const { data, meta } = await search({ limit });
    expect(data).toEqual(logins(0, Math.min(limit, 230)));
    expect(meta).toEqual({
      has_next_page: limit < 230,
      end_cursor: limit < 230 ? expect.any(String) : null,
      total_count: 230,
    });
    expect(pages() - before).toBe(calls);
  });

  it("goes on after a limit above 100, without a gap", async () => {
    crowd(230);
    const first = await search({ limit: 110 });
    const second = await search({ limit: 110, after: first["meta"]?.["end_cursor"] });
    const third = await search({ limit: 110, after: second["meta"]?.["end_cursor"] });
    expect([...list(first["data"]), ...list(second["data"]), ...list(third["data"])]).toEqual(logins(0, 230));
    expect(third["meta"]).toEqual({ has_next_page: false, end_cursor: null, total_count: 230 });
  });

  it("gives the thousand that the platform lets one walk, and the true total", async () => {
    crowd(1300);
    const { data, meta } = await search({ limit: 1000 });
    expect(data).toEqual(logins(0, 1000));
    expect(meta).toEqual({ has_next_page: false, end_cursor: null, total_count: 1300 });
  });

  it("is empty when nothing is found", async () => {
    const body = await search({ query: "nobody-is-called-so" });
    expect(body).toEqual({ data: [], meta: { has_next_page: false, end_cursor: null, total_count: 0 } });
  });

  it("finds no pull requests among issues, whatever the query says", async () => {
    const reply = await running.tenon.run("issues", "api_search", { query: `${inHello} is:pr`, fields: ["number"] });
    expect(good(reply)["data"]).toEqual([]);
  });

  it("keeps quotes, braces and backslashes of a query as they are", async () => {
    const query = 'say "}{ \\" $x \n viewer';
    good(await running.tenon.run("issues", "api_search", { query, fields: ["number"] }));
    const body = running.platform.requests.at(-1)?.body;
    expect(body).toMatchObject({ variables: { searchQuery: `${query} is:issue` } });
    expect(Object(body)).toHaveProperty("query", expect.not.stringContaining("viewer"));
  });
});
