import { describe, expect, it } from "vitest";
import { readerToken } from "../../../runtime/simulated/github/tokens.ts";
import { organizationNamed, userNamed } from "../../../runtime/simulated/github/world/world.ts";
import { startPlatform } from "../../support/github/start.ts";
import { graphql, type Json } from "../client.ts";
import { ask, data, errorTypes, hello, inHello, list, platform } from "./setup.ts";

const inLabs = (selection: string) => `{ organization(login: "tenon-labs") { ${selection} } }`;
const logins = (value: Json | undefined) => list(value?.["nodes"]).map(({ login }) => login);

describe("an owner", () => {
  it("is a user or an organization of a login, or nobody", async () => {
    const found = await data(
      `{ user: repositoryOwner(login: "Octocat") { __typename login } nobody: repositoryOwner(login: "nobody-at-all") { login }
        organization: repositoryOwner(login: "TENON-LABS") { __typename login } }`,
    );
    expect(found).toEqual({
      user: { __typename: "User", login: "octocat" },
      organization: { __typename: "Organization", login: "tenon-labs" },
      nobody: null,
    });
  });

  it("has repositories by name, of which a caller finds those that it may read", async () => {
    expect(await data('{ viewer { repository(name: "Hello-World") { name } } }')).toEqual({
      viewer: { repository: { name: "hello-world" } },
    });
    for (const [login, name] of [
      ["octocat", "nope"],
      ["monalisa", "diary"],
    ]) {
      const { body } = await ask(`{ user(login: "${login}") { repository(name: "${name}") { name } } }`);
      const message = `Could not resolve to a Repository with the name '${login}/${name}'.`;
      expect(body["errors"]).toMatchObject([{ type: "NOT_FOUND", message }]);
    }
  });

  it("lists repositories by who may see them, and by what the caller is to them", async () => {
    const affiliations = "[OWNER, COLLABORATOR, ORGANIZATION_MEMBER]";
    const found = await data(
      `{ viewer { secret: repositories(first: 50, ownerAffiliations: [OWNER], privacy: PRIVATE) { nodes { name } }
        all: repositories(ownerAffiliations: ${affiliations}) { totalCount }
        shared: repositories(first: 50, affiliations: [COLLABORATOR], ownerAffiliations: ${affiliations}) { nodes { name } } } }`,
    );
    expect(found["viewer"]).toMatchObject({
      secret: { nodes: [{ name: "secret-plans" }] },
      shared: { nodes: [{ name: "shared-tools" }] },
    });
    expect(found["viewer"]?.["all"]?.["totalCount"]).toBeGreaterThan(10);
  });

  it("has starred repositories, the newest first on request", async () => {
    const stars = userNamed(platform().world, "octocat")?.starred ?? [];
    for (const [index, star] of stars.entries()) star.starredAt = `2026-01-0${1 + index}T00:00:00Z`;
    const field = "starredRepositories(first: 9, orderBy: {field: STARRED_AT, direction: DESC})";
    const found = await data(`{ viewer { ${field} { isOverLimit edges { starredAt node { name } } nodes { name } } } }`);
    const sorted = stars.toReversed();
    const nodes = sorted.map(({ repository: { name } }) => ({ name }));
    const edges = sorted.map(({ starredAt }, index) => ({ starredAt, node: nodes[index] }));
    expect(found["viewer"]?.["starredRepositories"]).toEqual({ isOverLimit: false, edges, nodes });
    expect(nodes.length).toBeGreaterThan(1);
  });
});

describe("a repository", () => {
  it("shows its collaborators to those who may push, and to nobody else", async () => {
    const query = inHello("collaborators(first: 9) { edges { permission node { login } } nodes { login } }");
    const node = { login: "monalisa" };
    expect((await data(query))["repository"]?.["collaborators"]).toEqual({
      edges: [{ permission: "WRITE", node }],
      nodes: [node],
    });
    expect(errorTypes((await ask(query, {}, readerToken)).body)).toEqual(["FORBIDDEN"]);
  });

  it("has people who may be mentioned and, fewer, who may be assigned", async () => {
    const found = await data(
      `{ repository(owner: "tenon-labs", name: "api") { all: mentionableUsers(first: 20) { nodes { login } }
        some: mentionableUsers(first: 20, query: "MONA") { nodes { login } } assignableUsers(first: 20) { nodes { login } } } }`,
    );
    const { all, some, assignableUsers } = found["repository"] ?? {};
    const members = organizationNamed(platform().world, "tenon-labs")?.memberships.map(({ user }) => user.login) ?? [];
    expect(logins(all)).toHaveLength(4);
    expect(logins(all)).toEqual(expect.arrayContaining(members));
    expect([logins(some), logins(assignableUsers)]).toEqual([["monalisa"], ["octocat"]]);
  });

  it("has a license and forks", async () => {
    const found = await data(
      `{ repository(owner: "tenon-labs", name: "widgets") { licenseInfo { key pseudoLicense hidden featured }
        forks(first: 5) { totalCount totalDiskUsage nodes { nameWithOwner } } } }`,
    );
    expect(found["repository"]).toEqual({
      licenseInfo: { key: "apache-2.0", pseudoLicense: false, hidden: false, featured: true },
      forks: { totalCount: 1, totalDiskUsage: 0, nodes: [{ nameWithOwner: "octocat/widgets" }] },
    });
  });
});

describe("a team", () => {
  it("has members with their role, repositories, and teams below it", async () => {
    const found = await data(
      inLabs(`team(slug: "platform") { members(first: 9) { edges { role memberAccessResourcePath memberAccessUrl node { login } } }
        repositories(first: 9) { edges { permission node { name } } }
        childTeams(first: 9, orderBy: {field: NAME, direction: ASC}) { nodes { slug } } }
        teams(first: 9, rootTeamsOnly: true) { nodes { slug } }`),
    );
    const path = "/orgs/tenon-labs/teams/platform/members";
    const access = { memberAccessResourcePath: path, memberAccessUrl: `https://github.com${path}` };
    expect(found["organization"]).toEqual({
      team: {
        members: {
          edges: [
            { role: "MAINTAINER", ...access, node: { login: "octocat" } },
            { role: "MEMBER", ...access, node: { login: "monalisa" } },
          ],
        },
        repositories: { edges: [{ permission: "READ", node: { name: "widgets" } }] },
        childTeams: { nodes: [{ slug: "storage" }] },
      },
      teams: { nodes: [{ slug: "platform" }, { slug: "security-response" }, { slug: "nobody-yet" }] },
    });
  });
});

describe("a project", () => {
  it("has fields by name, and iterations", async () => {
    const found = await data(
      inLabs(`projectV2(number: 1) { field(name: "Status") { ... on ProjectV2SingleSelectField { name } }
        none: field(name: "Nope") { ... on ProjectV2Field { name } }
        sprint: field(name: "Sprint") { ... on ProjectV2IterationField { configuration { duration startDay
          iterations { title titleHTML } completedIterations { title } } } } }`),
    );
    expect(found["organization"]?.["projectV2"]).toEqual({
      field: { name: "Status" },
      none: null,
      sprint: {
        configuration: {
          duration: 14,
          startDay: 1,
          iterations: ["Sprint 1", "Sprint 2"].map((title) => ({ title, titleHTML: `<p dir="auto">${title}</p>` })),
          completedIterations: [],
        },
      },
    });
  });

  it("names the repositories of its items, of which drafts have none", async () => {
    const repositories = "repositories(first: 9) { nodes { nameWithOwner } }";
    const found = await data(
      inLabs(`roadmap: projectV2(number: 1) { ${repositories} } triage: projectV2(number: 2) { ${repositories} }`),
    );
    expect(found["organization"]).toEqual({
      roadmap: { repositories: { nodes: [{ nameWithOwner: "tenon-labs/widgets" }, { nameWithOwner: "octocat/hello-world" }] } },
      triage: { repositories: { nodes: [] } },
    });
  });

  it("knows of a draft which item and project it is in, until it is taken out", async () => {
    const [one, other] = organizationNamed(platform().world, "tenon-labs")?.projects[0]?.items.slice(-2) ?? [];
    const [draft, loose] = [one?.content, other?.content];
    if (draft?.__typename !== "DraftIssue" || loose?.__typename !== "DraftIssue") throw new Error("no drafts");
    loose.item = null;
    const query = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on DraftIssue {
      projectV2Items(first: 5) { nodes { id } } projectsV2(first: 5) { nodes { number } } } } }`;
    expect((await data(query, { ids: [draft.id, loose.id] }))["nodes"]).toEqual([
      { projectV2Items: { nodes: [{ id: one?.id }] }, projectsV2: { nodes: [{ number: 1 }] } },
      { projectV2Items: { nodes: [] }, projectsV2: { nodes: [] } },
    ]);
  });

  it("shows the requested reviewers, and nothing for a field without a value", async () => {
    // With this seed somebody is.
    const other = await startPlatform({ seed: 1 });
    const value =
      "... on ProjectV2ItemFieldReviewerValue { reviewers(first: 9) { nodes { ... on User { login } } } field { ... on ProjectV2Field { name } } }";
    const query = inLabs(
      `projectV2(number: 1) { items(first: 100) { nodes { fieldValueByName(name: "Reviewers") { ${value} } } } }`,
    );
    const { body } = await graphql(other, query);
    const items = list(body["data"]?.["organization"]?.["projectV2"]?.["items"]?.["nodes"]).map((one) => one["fieldValueByName"]);
    const asked = other.world.organizations[0]?.projects[0]?.items.map(({ content }) =>
      content?.__typename === "PullRequest" ? content.requestedReviewers : [],
    );
    await other.close();
    const expected = asked?.map((users) =>
      users.length === 0
        ? null
        : {
            reviewers: { nodes: users.map((one) => ("login" in one ? { login: one.login } : {})) },
            field: { name: "Reviewers" },
          },
    );
    expect(items).toEqual(expected);
    expect(items.filter((one) => one !== null)).toHaveLength(1);
    expect(hello().name).toBe("hello-world");
  });
});
