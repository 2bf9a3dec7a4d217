import type { Commit } from "../world/git.ts";
import type { Repository } from "../world/repository.ts";
import { organizationNamed } from "../world/world.ts";
import { seedCategories, seedDiscussion } from "./discussions.ts";
import { smallFiles } from "./files.ts";
import { commit, plantTree, reference } from "./git.ts";
import { seedIssue } from "./issues.ts";
import { seedLabels, seedMilestones } from "./labels.ts";
import { need } from "./organizations.ts";
import { seedPullRequest } from "./pull-requests.ts";
import { language, license, repository, stars, topic } from "./repository.ts";
import { hour, type Seed, someUser } from "./seed.ts";
import { someTitle } from "./text.ts";

/** The smaller repositories, each there for one case. */
export function seedOtherRepositories(seed: Seed): void {
  const octocat = need(seed, "octocat");
  repository(seed, { owner: octocat, name: "empty", description: "" });
  seedOrganizationRepositories(seed);

  const archive = repository(seed, { owner: octocat, name: "archive-box", isArchived: true, archivedAt: hour(9000) });
  fill(seed, archive, 12, 3);
  const secret = repository(seed, { owner: octocat, name: "secret-plans", isPrivate: true, description: "Top {secret}" });
  fill(seed, secret, 5, 2);
  const moved = repository(seed, { owner: octocat, name: "renamed-notes" });
  fill(seed, moved, 8, 2);
  seed.world.renames.set("octocat/old-notes", moved);
  const quiet = repository(seed, { owner: octocat, name: "no-issues", hasIssuesEnabled: false });
  fill(seed, quiet, 6, 0);
  fill(seed, repository(seed, { owner: octocat, name: "dotfiles", isTemplate: true }), 4, 1);

  const hubot = need(seed, "hubot");
  fill(seed, repository(seed, { owner: hubot, name: "scripts", description: "Scripts for hubot" }), 9, 3);
  const shared = repository(seed, { owner: hubot, name: "shared-tools" });
  shared.collaborators.push({ user: octocat, permission: "WRITE" });
  fill(seed, shared, 7, 2);

  const monalisa = need(seed, "monalisa");
  fill(seed, repository(seed, { owner: monalisa, name: "spoon-knife", description: "Fork me" }), 10, 2);
  fill(seed, repository(seed, { owner: monalisa, name: "diary", isPrivate: true }), 3, 1);
}

function seedOrganizationRepositories(seed: Seed): void {
  const labs = organizationNamed(seed.world, "tenon-labs");
  const quiet = organizationNamed(seed.world, "quiet-org");
  if (labs === undefined || quiet === undefined) throw new Error("the seed has no organizations");
  const widgets = repository(seed, {
    owner: labs,
    name: "widgets",
    description: "Widgets for everyone 🧩",
    licenseInfo: license(seed, "Apache-2.0", "Apache License 2.0"),
    languages: [{ language: language(seed, "Rust"), size: 50_000 }],
    topics: [topic(seed, "graphql"), topic(seed, "widgets")],
  });
  seedLabels(seed, widgets, 5);
  seedMilestones(seed, widgets);
  seedCategories(seed, widgets);
  fill(seed, widgets, 30, 12);
  for (let index = 0; index < 4; index++) seedDiscussion(seed, widgets, 2500 + index * 10, index);
  stars(seed, widgets, 5);
  fill(
    seed,
    repository(seed, {
      owner: labs,
      name: "api",
      isPrivate: true,
      languages: [{ language: language(seed, "Python"), size: 9000 }],
    }),
    15,
    6,
  );
  fill(seed, repository(seed, { owner: labs, name: ".github" }), 2, 0);
  fill(seed, repository(seed, { owner: quiet, name: "solo" }), 4, 1);
  for (const team of labs.teams.slice(0, 2)) team.repositories.push(widgets);

  const fork = repository(seed, { owner: need(seed, "octocat"), name: "widgets", parent: widgets, description: "My fork" });
  const tip = fill(seed, fork, 0, 0, widgets);
  reference(
    fork,
    "refs/heads/",
    "my-change",
    commit(fork, {
      message: "A change for upstream",
      by: need(seed, "octocat"),
      at: hour(6000),
      parents: [tip],
      tree: tip.tree,
      changes: [{ path: "README.md", additions: 3, deletions: 1, changeType: "MODIFIED" }],
    }),
  );
}

/** A short history with issues and two pull requests; a fork shares the history of its parent. Answers the tip. */
function fill(seed: Seed, made: Repository, commits: number, issues: number, upstream?: Repository): Commit {
  if (made.labels.length === 0) seedLabels(seed, made, 3);
  const files = smallFiles(made.name);
  const paths = [...files.keys()];
  let tip = upstream === undefined ? undefined : tipOf(upstream);
  if (upstream !== undefined) for (const [oid, object] of upstream.objects) made.objects.set(oid, object);
  const tree = plantTree(made, files);
  for (let index = 0; index < commits; index++) {
    const change = { path: seed.random.pick(paths), additions: 1 + index, deletions: 0, changeType: "MODIFIED" as const };
    const parents = tip === undefined ? [] : [tip];
    tip = commit(made, {
      message: someTitle(seed.random),
      by: someUser(seed),
      at: hour(1000 + index),
      parents,
      tree,
      changes: [change],
    });
  }
  if (tip === undefined) throw new Error("a filled repository needs a commit");
  for (let index = 0; index < issues; index++) seedIssue(seed, made, 1500 + index * 17);
  if (issues > 1) {
    tip = seedPullRequest(seed, made, { base: tip, fate: "merged", at: 2000, paths });
    tip = seedPullRequest(seed, made, { base: tip, fate: "open", at: 2050, paths });
  }
  reference(made, "refs/heads/", made.defaultBranch, tip);
  made.pushedAt = tip.committer.date;
  return tip;
}

function tipOf(repository: Repository): Commit {
  const target = repository.refs.find((ref) => ref.name === repository.defaultBranch)?.target;
  if (target?.__typename !== "Commit") throw new Error(`${repository.name} has no default branch`);
  return target;
}
