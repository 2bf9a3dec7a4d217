import { canRead } from "../../runtime/simulated/github/access.ts";
import { defaultBranch, history, peel } from "../../runtime/simulated/github/world/head.ts";
import { branchRecord, commitRecord, releaseRecord, tagRecord } from "./records/git.ts";
import { labelRecord, milestoneRecord, repositoryRecord, stargazerRecord } from "./records/repository.ts";
import type { Facts, GetCase, ListCase } from "./support/case.ts";
import { checkGets } from "./support/check-get.ts";
import { checkLists } from "./support/check-list.ts";
import { useTenon } from "./support/service.ts";
import { found, hello, repository, sorted } from "./support/world.ts";

// Repositories and what hangs on them: git, labels, milestones, releases, stars.

const running = useTenon();
const at = { owner: "octocat", repo: "hello-world" };

const ownedBy = (login: string) => (facts: Facts) => {
  const seen = facts.world.repositories.filter((one) => one.owner.login === login && canRead(facts.viewer, one));
  return sorted(seen, (one) => one.pushedAt, "DESC").map((one) => repositoryRecord(one, facts.viewer.user));
};
const refs = ({ world }: Facts, prefix: string) => hello(world).refs.filter((one) => one.prefix === prefix);
const commits = ({ world }: Facts) => history(found(peel(defaultBranch(hello(world))?.target)));
const releases = ({ world }: Facts) => sorted(hello(world).releases, (one) => one.createdAt, "DESC");
const labels = ({ world, rest }: Facts) =>
  sorted(hello(world).labels, (one) => one.name.toLowerCase(), "ASC").map((one) => labelRecord(one, rest));

const lists: readonly ListCase[] = [
  { entity: "repositories", params: { username: "octocat" }, expected: ownedBy("octocat") },
  // What others share with hubot is not among hubot's own.
  { entity: "repositories", note: "of somebody else", params: { username: "hubot" }, expected: ownedBy("hubot") },
  { entity: "org_repositories", params: { org: "tenon-labs" }, expected: ownedBy("tenon-labs") },
  { entity: "viewer_repositories", params: {}, expected: ownedBy("octocat") },
  {
    entity: "branches",
    params: at,
    expected: (facts) => sorted(refs(facts, "refs/heads/"), (one) => one.name, "ASC").map(branchRecord),
  },
  {
    entity: "tags",
    params: at,
    expected: (facts) =>
      sorted(refs(facts, "refs/tags/"), (one) => peel(one.target)?.committer.date ?? null, "DESC").map(tagRecord),
  },
  { entity: "commits", params: at, expected: (facts) => commits(facts).map(commitRecord) },
  {
    entity: "commits",
    note: "that changed a file",
    params: { ...at, path: "docs/ünïcode/日本語.md" },
    sizes: [7],
    expected: (facts) =>
      commits(facts)
        .filter((one) => one.changes.some((change) => change.path === "docs/ünïcode/日本語.md"))
        .map(commitRecord),
  },
  {
    entity: "commits",
    note: "that changed a directory",
    params: { ...at, path: "src" },
    sizes: [100],
    expected: (facts) =>
      commits(facts)
        .filter((one) => one.changes.some((change) => change.path.startsWith("src/")))
        .map(commitRecord),
  },
  { entity: "releases", params: at, expected: (facts) => releases(facts).map(releaseRecord) },
  { entity: "labels", params: at, expected: labels },
  { entity: "milestones", params: at, expected: ({ world }) => hello(world).milestones.map(milestoneRecord) },
  {
    entity: "milestones",
    note: "of one state",
    params: { ...at, states: ["CLOSED"] },
    sizes: [1],
    expected: ({ world }) =>
      hello(world)
        .milestones.filter((one) => one.state === "CLOSED")
        .map(milestoneRecord),
  },
  {
    entity: "stargazers",
    params: at,
    cursorAlways: true,
    expected: ({ world }) =>
      sorted(hello(world).stargazers, (one) => one.starredAt, "DESC").map((one) => stargazerRecord(one, "octocat/hello-world")),
  },
];

const named = (name: string) => (facts: Facts) => repositoryRecord(repository(facts.world, name), facts.viewer.user);
const fromName = (fullName: string) => {
  const [owner, repo] = fullName.split("/");
  return { owner, repo };
};

const gets: readonly GetCase[] = [
  ...[
    "octocat/hello-world",
    "octocat/empty",
    "octocat/widgets",
    "octocat/secret-plans",
    "octocat/archive-box",
    "tenon-labs/widgets",
  ].map((name): GetCase => ({ entity: "repositories", note: name, params: fromName(name), expected: named(name) })),
  {
    entity: "repositories",
    note: "under its former name",
    params: fromName("octocat/old-notes"),
    expected: named("octocat/renamed-notes"),
  },
  ...["main", "feature/with/many/slashes", "fix-#42", "ünïcode-ветка"].map((branch): GetCase => {
    const one = (facts: Facts) => found(refs(facts, "refs/heads/").find((ref) => ref.name === branch));
    return { entity: "branches", note: branch, params: { ...at, branch }, expected: (facts) => branchRecord(one(facts)) };
  }),
  ...["v0.1.0", "v0.2.0-rc.1", "nightly/2024-05-01"].map((tag): GetCase => {
    const one = (facts: Facts) => found(refs(facts, "refs/tags/").find((ref) => ref.name === tag));
    return { entity: "tags", note: tag, params: { ...at, tag }, expected: (facts) => tagRecord(one(facts)) };
  }),
  ...["v0.1.0", "v1.0.0", "v1.0.1", "nightly/2024-05-01", "v1.1.0"].map((tag): GetCase => {
    const one = (facts: Facts) => found(releases(facts).find((release) => release.tagName === tag));
    return { entity: "releases", note: tag, params: { ...at, tag }, expected: (facts) => releaseRecord(one(facts)) };
  }),
  {
    entity: "commits",
    params: (facts) => ({ ...at, sha: found(commits(facts)[3]).oid }),
    expected: (facts) => commitRecord(found(commits(facts)[3])),
  },
  {
    entity: "commits",
    note: "by a short SHA",
    params: (facts) => ({ ...at, sha: found(commits(facts)[9]).oid.slice(0, 10) }),
    expected: (facts) => commitRecord(found(commits(facts)[9])),
  },
  {
    entity: "commits",
    note: "of a merge",
    params: (facts) => ({ ...at, sha: found(commits(facts).find((one) => one.parents.length === 2)).oid }),
    expected: (facts) => commitRecord(found(commits(facts).find((one) => one.parents.length === 2))),
  },
  ...["bug", "area/parser", "🎉 party", ":bug: Bugfix", "100% sure?", "عاجل"].map((name): GetCase => {
    const one = ({ world, rest }: Facts) => labelRecord(found(hello(world).labels.find((label) => label.name === name)), rest);
    return { entity: "labels", note: name, params: { ...at, name }, expected: one };
  }),
  ...[1, 2, 3].map(
    (number): GetCase => ({
      entity: "milestones",
      note: `${number}`,
      params: { ...at, number },
      expected: ({ world }) => milestoneRecord(found(hello(world).milestones.find((one) => one.number === number))),
    }),
  ),
];

checkLists(running, lists);
checkGets(running, gets);
