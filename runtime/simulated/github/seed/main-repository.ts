import type { Commit, FileChange, Tree } from "../world/git.ts";
import type { Repository } from "../world/repository.ts";
import { seedCategories, seedDiscussion } from "./discussions.ts";
import { mainFiles, olderFiles } from "./files.ts";
import { commit, plantTree, reference } from "./git.ts";
import { close, comment, issue, seedIssue } from "./issues.ts";
import { seedLabels, seedMilestones } from "./labels.ts";
import { need } from "./organizations.ts";
import { type PullRequestFate, seedPullRequest } from "./pull-requests.ts";
import { seedReleases } from "./releases.ts";
import { language, license, repository, stars, topic } from "./repository.ts";
import { reviewInEveryState, thread } from "./reviews.ts";
import { hour, type Seed, someUser } from "./seed.ts";
import { someTitle } from "./text.ts";

const firstCommits = 220;
const fates: readonly PullRequestFate[] = ["merged", "open", "closed", "draft", "merged", "merged", "open"];

/** `octocat/hello-world`, which has so many records of every kind that a list needs a second page. */
export function seedMainRepository(seed: Seed): Repository {
  const made = repository(seed, {
    owner: need(seed, "octocat"),
    name: "hello-world",
    description: 'My first repository on "GitHub"! {braces} 🌍 שלום',
    homepageUrl: "https://example.com/hello",
    licenseInfo: license(seed, "MIT", "MIT License"),
    languages: [
      { language: language(seed, "TypeScript"), size: 90_000 },
      { language: language(seed, "Shell"), size: 1_200 },
      { language: language(seed, "Roff"), size: 300 },
    ],
    topics: [topic(seed, "hello"), topic(seed, "graphql"), topic(seed, "octocat")],
    diskUsage: 1543,
    collaborators: [{ user: need(seed, "monalisa"), permission: "WRITE" }],
  });
  stars(seed, made, 7);
  seedLabels(seed, made);
  seedMilestones(seed, made);
  seedCategories(seed, made);
  const files = mainFiles();
  const tip = seedThreads(seed, made, seedHistory(seed, made, files), [...files.keys()]);
  const history = line(tip);
  reference(made, "refs/heads/", "main", tip);
  for (const [index, name] of ["develop", "feature/with/many/slashes", "release/1.x", "fix-#42", "ünïcode-ветка"].entries()) {
    const target = history.at(-10 * (index + 1));
    if (target !== undefined) reference(made, "refs/heads/", name, target);
  }
  seedReleases(seed, made, history);
  made.pushedAt = tip.committer.date;
  made.createdAt = hour(0);
  return made;
}

function seedHistory(seed: Seed, made: Repository, files: ReturnType<typeof mainFiles>): Commit {
  const trees: readonly [older: Tree, newer: Tree] = [plantTree(made, olderFiles()), plantTree(made, files)];
  const paths = [...files.keys()];
  let tip: Commit | undefined;
  for (let index = 0; index < firstCommits; index++) {
    const tree = index < firstCommits / 2 ? trees[0] : trees[1];
    const stranger = index % 17 === 5;
    tip = commit(made, {
      message: `${someTitle(seed.random)}${seed.random.chance(0.3) ? '\n\nBecause "it" {broke} 💥.\n\nSigned-off-by: someone' : ""}`,
      by: stranger ? null : someUser(seed),
      ...(stranger ? { stranger: 'A "Stranger" <\u202Eevil>' } : {}),
      at: hour(1 + index * 3),
      parents: tip === undefined ? [] : [tip],
      tree,
      changes: changes(seed, paths, index === 0),
      signed: seed.random.chance(0.3),
    });
  }
  if (tip === undefined) throw new Error("no history");
  return tip;
}

function changes(seed: Seed, paths: readonly string[], first: boolean): FileChange[] {
  const touched = first ? paths.slice(0, 3) : seed.random.sample(paths, 1 + seed.random.below(3));
  return touched.map((path) => ({
    path,
    additions: 1 + seed.random.below(40),
    deletions: first ? 0 : seed.random.below(15),
    changeType: first ? "ADDED" : "MODIFIED",
  }));
}

/** 136 issues, 42 pull requests and 16 discussions, numbered as they came. Answers the tip of the default branch. */
function seedThreads(seed: Seed, made: Repository, start: Commit, paths: readonly string[]): Commit {
  let tip = start;
  let at = 800;
  let discussions = 0;
  for (let index = 0; index < 194; index++) {
    at += 41;
    if (index % 12 === 11) seedDiscussion(seed, made, at, discussions++);
    else if ((index % 23) % 5 === 4) {
      const fate = fates[made.pullRequests.length % fates.length] ?? "open";
      tip = seedPullRequest(seed, made, { base: tip, fate, at, paths });
    } else seedIssue(seed, made, at);
  }
  specialThreads(seed, made, at);
  return tip;
}

function specialThreads(seed: Seed, made: Repository, at: number): void {
  const [first, second, third, fourth] = made.issues;
  const open = made.pullRequests.find((one) => one.state === "OPEN" && !one.isDraft);
  if (first === undefined || second === undefined || third === undefined || fourth === undefined || open === undefined) {
    throw new Error("the main repository lacks its special threads");
  }
  Object.assign(first, {
    title: "Found a bug",
    body: "I'm having a problem with this.",
    author: need(seed, "octocat"),
    isPinned: true,
  });
  for (let index = 0; index < 118; index++) comment(seed, first, at + index);
  Object.assign(second, { author: null, title: "Written by an account that is gone" });
  Object.assign(third, { locked: true, activeLockReason: "TOO_HEATED" });
  second.parent = first;
  third.parent = first;
  first.subIssues.push(second, third);
  if (third.state === "OPEN") close(third, hour(at), need(seed, "octocat"), "COMPLETED");
  fourth.labels = [...made.labels];
  reviewInEveryState(seed, open, at);
  for (const count of [3, 117, 1, 5]) thread(seed, open, count, at + 10);
  open.requestedReviewers = [need(seed, "monalisa"), ...seed.world.organizations.flatMap((one) => one.teams).slice(0, 1)];
  open.closingIssues.push(fourth);
  const orphan = made.pullRequests.find((one) => one.state === "CLOSED");
  // Its fork was deleted.
  if (orphan !== undefined) Object.assign(orphan, { headRepository: null, author: null });
  issue(seed, made, { createdAt: hour(at + 1), title: "x".repeat(256), body: "", labels: [...made.labels] });
}

/** First parents from the first commit to this one. */
function line(tip: Commit): Commit[] {
  const found: Commit[] = [];
  for (let at: Commit | undefined = tip; at !== undefined; at = at.parents[0]) found.push(at);
  return found.reverse();
}
