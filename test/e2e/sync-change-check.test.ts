import { describe, expect, it } from "vitest";
import { commit, reference } from "../../runtime/simulated/github/seed/git.ts";
import type { Commit } from "../../runtime/simulated/github/world/git.ts";
import { branch, peel } from "../../runtime/simulated/github/world/head.ts";
import type { Project } from "../../runtime/simulated/github/world/project.ts";
import type { Repository } from "../../runtime/simulated/github/world/repository.ts";
import { type Cache, hello, resultOf } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";
import { addComment, addIssue, later, push } from "./support/change.ts";
import { byKey, expectEqual, liveRecords } from "./support/live.ts";
import { label } from "./support/make.ts";
import { found, organization, user } from "./support/world.ts";

// One call tells of a whole repository which of its entities have not changed since the last sync, so that these are not read.

const others = ["organization=tenon-labs", "user=octocat"];
const at = "2030-01-01T00:00:00Z";

const running = useCaches({ synced: { scopes: [hello] } });
const { open, repository } = running;

const org = () => organization(running.platform.world, "tenon-labs");
const octocat = () => user(running.platform.world, "octocat");
const repositoryOf = (login: string) => found(running.platform.world.repositories.find(({ owner }) => owner.login === login));
/** Archives an item, which moves its project too. */
const editItem = (project: Project) => {
  Object.assign(found(project.items[0]), { isArchived: true, updatedAt: at });
  project.updatedAt = at;
};

const headOf = (of: Repository): Commit => found(peel(found(branch(of, of.defaultBranch)).target));

const changes: readonly [what: string, entity: string, change: (of: Repository) => void][] = [
  ["an issue is edited", "issues", ({ issues }) => Object.assign(found(issues[3]), { title: "Another", updatedAt: at })],
  ["an issue is added", "issues", (of) => void addIssue(of, at)],
  ["a comment is added", "comments", ({ issues }) => void addComment(found(issues[0]), at)],
  ["a label is renamed", "labels", ({ labels }) => Object.assign(found(labels[0]), { name: "renamed", updatedAt: at })],
  ["a label is added", "labels", (of) => void of.labels.push(label(of, "brand-new"))],
  ["a label is removed", "labels", ({ labels }) => void labels.pop()],
  [
    "a milestone is edited",
    "milestones",
    ({ milestones }) => Object.assign(found(milestones[0]), { title: "Another", updatedAt: at }),
  ],
  ["a release is edited", "releases", ({ releases }) => Object.assign(found(releases[0]), { name: "Another", updatedAt: at })],
  [
    "a star is given",
    "stargazers",
    ({ stargazers }) => {
      const user = found(running.platform.world.users.find((one) => !stargazers.some((star) => star.user === one)));
      stargazers.push({ user, starredAt: at });
    },
  ],
  [
    "a branch moves",
    "branches",
    (of) => Object.assign(found(of.refs.findLast(({ prefix }) => prefix === "refs/heads/")), { target: headOf(of) }),
  ],
  ["a tag is added", "tags", (of) => void reference(of, "refs/tags/", "v99.0.0", headOf(of))],
  ["a file is changed", "file_content", (of) => push(of, at, { "docs/new.md": "New\n" })],
  ["a file is added to a folder", "directory_content", (of) => push(of, at, { "docs/new/page.md": "New\n" })],
  ["something is pushed", "commits", (of) => push(of, at, { "README.md": "New\n" })],
  [
    "a discussion is edited",
    "discussions",
    ({ discussions }) => Object.assign(found(discussions[0]), { title: "Another", updatedAt: at }),
  ],
];

describe("a sync after which nothing has changed", () => {
  it("costs one call for the repository and one for the account", async () => {
    const cache = await open();
    const result = await cache.sync([hello]);
    expect(result.outcome).toBe("complete");
    expect(cache.calls).toEqual(["ChangeCheck", "ChangeCheck"]);
    expect(result.changeChecks).toEqual({ calls: 2, points: expect.any(Number) });
  });

  it("costs one call for each organization and each user", async () => {
    const cache = await open();
    await cache.sync(others);
    cache.calls.length = 0;
    expect((await cache.sync(others)).outcome).toBe("complete");
    expect(cache.calls).toEqual(["ChangeCheck", "ChangeCheck", "ChangeCheck"]);
  });

  it("makes what it did not read as fresh as what it has read", async () => {
    const cache = await open();
    const before = new Date().toISOString();
    await cache.sync([hello]);
    for (const { entity, completedAt, problem } of await cache.states())
      expect([entity, completedAt !== null && completedAt >= before, problem]).toEqual([entity, true, null]);
  });

  it("reads everything all the same on request", async () => {
    const cache = await open();
    await cache.sync([hello], { full: true });
    expect(cache.calls).toEqual(expect.arrayContaining(["IssuesSync", "LabelsList", "CommitsSync", "TagsList"]));
  });

  it("reads what the platform refuses to tell of, and nothing else", async () => {
    const cache = await open({
      before: (operation) =>
        void (operation === "ChangeCheck" && running.platform.fail({ kind: "field-error", field: "labels_labels" })),
    });
    expect((await cache.sync([hello])).outcome).toBe("complete");
    expect(cache.calls.sort()).toEqual(["ChangeCheck", "ChangeCheck", "LabelsList"]);
  });

  it("asks only once more where the platform says that there is no such scope", async () => {
    const cache = await open();
    const result = await cache.sync(["repository=octocat/none", "organization=none"]);
    const outcomes = result.entities.filter(({ scope }) => scope.endsWith("none"));
    expect(new Set(outcomes.map(({ problem }) => problem?.code))).toEqual(new Set(["not_found", undefined]));
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["failed", "skipped"]));
    // Two change checks and two lists, beside the change check of the account.
    expect(cache.calls.length).toBe(5);
    const states = (await cache.states()).filter(({ scope }) => scope.endsWith("none"));
    expect(new Set(states.map(({ problem }) => problem))).toEqual(new Set(["not_found"]));
  });

  it("reads everything where the platform refuses to tell", async () => {
    const cache = await open({ answer: (name) => (name === "ChangeCheck" ? { data: { repository: null } } : undefined) });
    expect((await cache.sync([hello])).outcome).toBe("complete");
    expect(cache.calls).toEqual(expect.arrayContaining(["IssuesSync", "LabelsList", "CommitsSync", "TagsList"]));
  });
});

describe("a change after the last sync", () => {
  it.each(changes)("is found when %s", async (_what, entity, change) => {
    const cache = await open();
    change(repository());
    const result = await cache.sync([hello]);
    expect(result.outcome).toBe("complete");
    // What has not changed is not read.
    expect(cache.calls.length).toBeLessThanOrEqual(14);
    await expectEqual(cache, [hello], [entity]);
  });

  it.each<[what: string, entity: string, change: () => void]>([
    ["an organization", "organizations", () => Object.assign(org(), { description: "Another", updatedAt: at })],
    ["a member", "users", () => Object.assign(found(org().memberships[1]).user, { name: "Another", updatedAt: at })],
    ["the list of members", "users", () => void org().memberships.pop()],
    ["a team", "teams", () => Object.assign(found(org().teams[0]), { name: "Another", updatedAt: at })],
    ["a project", "projects", () => Object.assign(found(org().projects[0]), { title: "Another", updatedAt: at })],
    ["an item of a project", "project_items", () => editItem(found(org().projects[0]))],
    [
      "a repository",
      "org_repositories",
      () => Object.assign(repositoryOf("tenon-labs"), { description: "Another", updatedAt: at }),
    ],
    [
      "a repository of a user",
      "repositories",
      () => Object.assign(repositoryOf("octocat"), { description: "Another", updatedAt: at }),
    ],
    ["the account", "viewer", () => Object.assign(octocat(), { name: "Another", updatedAt: at })],
  ])("of an organization or a user is found when %s is another", async (_what, entity, change) => {
    const cache = await open();
    await cache.sync(others);
    cache.calls.length = 0;
    change();
    expect((await cache.sync(others)).outcome).toBe("complete");
    expect(cache.calls.length).toBeLessThanOrEqual(8);
    const live = await liveRecords(cache.instance, others, [entity]);
    const stored = await cache.records(entity);
    // The repository that the test has synced before belongs to its own scope.
    const ids = new Set((live[entity] ?? []).map(({ id }) => id));
    expect(
      byKey(
        entity,
        stored.filter(({ id }) => ids.has(id)),
      ),
    ).toEqual(byKey(entity, live[entity] ?? []));
  });

  it.each<[entity: string, list: (of: Repository) => object[]]>([
    ["labels", ({ labels }) => labels],
    ["releases", ({ releases }) => releases],
  ])("is found in the oldest of more than a hundred %s", async (entity, list) => {
    const cache = await open();
    const all = list(repository());
    const old = (count: number) => ({
      id: `OLD_${count}`,
      name: `old-${count}`,
      createdAt: later("2001-01-01T00:00:00Z", count),
    });
    for (let count = 0; count <= 100; count++) all.push({ ...all[0], ...old(count) });
    await cache.sync([hello]);
    Object.assign(found(all.at(-101)), { description: "Another", updatedAt: "2026-01-01T00:00:00Z" });
    await cache.sync([hello]);
    await expectEqual(cache, [hello], [entity]);
  });

  it("is found where a push is all that is new in the oldest of more than a hundred repositories", async () => {
    const cache = await open();
    const all = running.platform.world.repositories;
    const first = repositoryOf("tenon-labs");
    const old = (count: number) => ({
      id: `OLD_${count}`,
      name: `old-${count}`,
      updatedAt: later("2001-01-01T00:00:00Z", count),
    });
    for (let count = 0; count <= 100; count++) all.push({ ...first, ...old(count), pushedAt: first.createdAt });
    await cache.sync(others);
    found(all.at(-101)).pushedAt = "2026-01-01T00:00:00Z";
    await cache.sync(others);
    await expectEqual(cache, others, ["org_repositories"]);
  });

  it("is found where it has the same time as one that the last sync has seen", async () => {
    const cache = await open();
    const now = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    Object.assign(found(repository().milestones[0]), { title: "First change", updatedAt: now });
    await cache.sync([hello]);
    Object.assign(found(repository().milestones[0]), { title: "Second change", updatedAt: now });
    await cache.sync([hello]);
    await expectEqual(cache, [hello], ["milestones"]);
  });

  it("is found after a sync run that was cut off", async () => {
    const cache = await open();
    const { labels } = repository();
    Object.assign(found(labels[0]), { name: "renamed", updatedAt: at });
    const end = new AbortController();
    await cache.sync([hello], { entities: ["labels"], signal: end.signal, onProgress: () => end.abort() });
    await cache.sync([hello], { entities: ["labels"] });
    await expectEqual(cache, [hello], ["labels"]);
  });
});

describe("commits", () => {
  const pages = (cache: Cache) => cache.calls.filter((name) => name === "CommitsSync").length;
  /** As many commits as several pages have. */
  const many = 250;

  it("are read from the head down to the known one", async () => {
    const cache = await open();
    for (let count = 0; count < 3; count++) push(repository(), later(at, count), { "README.md": `Text ${count}\n` });
    const result = resultOf(await cache.sync([hello], { entities: ["commits"] }), "commits");
    expect(result).toMatchObject({ outcome: "complete", inserted: 3, removed: 0, full: false });
    expect(pages(cache)).toBe(1);
    await expectEqual(cache, [hello], ["commits"]);
  });

  it("of a merged branch are found where they are older than the known head", async () => {
    const cache = await open();
    const head = headOf(repository());
    const [first] = head.parents;
    let tip = found(found(first).parents[0]);
    const source = { by: null, tree: head.tree, changes: [] };
    for (let count = 0; count < 3; count++)
      tip = commit(repository(), {
        ...source,
        message: `Old ${count}`,
        at: later("2001-01-01T00:00:00Z", count),
        parents: [tip],
      });
    const merged = commit(repository(), { ...source, message: "Merge", at, parents: [head, tip] });
    found(branch(repository(), repository().defaultBranch)).target = merged;
    const result = resultOf(await cache.sync([hello], { entities: ["commits"] }), "commits");
    expect(result).toMatchObject({ outcome: "complete", inserted: 4, removed: 0 });
    await expectEqual(cache, [hello], ["commits"]);
  });

  it("that a rewritten history does not have any longer are removed", async () => {
    const cache = await open();
    const head = headOf(repository());
    const back = found(found(head.parents[0]).parents[0]);
    const source = { by: null, tree: head.tree, changes: [] };
    const rewritten = commit(repository(), { ...source, message: "Rewritten", at, parents: [back] });
    found(branch(repository(), repository().defaultBranch)).target = rewritten;
    const result = resultOf(await cache.sync([hello], { entities: ["commits"] }), "commits");
    expect(result).toMatchObject({ outcome: "complete", inserted: 1, full: true });
    expect(result.removed).toBeGreaterThan(0);
    await expectEqual(cache, [hello], ["commits"]);
  });

  it("are all read when a sync was cut off before the known one", async () => {
    const cache = await open();
    for (let count = 0; count < many; count++) push(repository(), later(at, count), { "README.md": `Text ${count}\n` });
    const end = new AbortController();
    await cache.sync([hello], {
      entities: ["commits"],
      signal: end.signal,
      onProgress: ({ kind }) => void (kind === "page" && end.abort()),
    });
    push(repository(), later(at, many), { "README.md": "The last one\n" });
    expect((await cache.sync([hello], { entities: ["commits"] })).outcome).toBe("complete");
    await expectEqual(cache, [hello], ["commits"]);
  });
});
