import { describe, expect, it } from "vitest";
import { authenticate } from "../../../runtime/simulated/github/admit.ts";
import { ownerToken } from "../../../runtime/simulated/github/tokens.ts";
import { visibleNodes } from "../../../runtime/simulated/github/world/nodes.ts";
import { nameWithOwner, repositoryNamed } from "../../../runtime/simulated/github/world/world.ts";
import { type Platform, startPlatform } from "../../support/github/start.ts";
import { hello, platform } from "./setup.ts";

describe("the data set", () => {
  it("is the same for the same seed and another for another", async () => {
    const [same, other] = await Promise.all([startPlatform(), startPlatform({ seed: 7 })]);
    const titles = (one: Platform) =>
      one.world.repositories.flatMap((repository) => repository.issues.map((issue) => issue.title));
    expect(titles(same)).toEqual(titles(platform()));
    expect(titles(other)).not.toEqual(titles(platform()));
    await Promise.all([same.close(), other.close()]);
  });

  it("never gives one number or one id twice", () => {
    const owner = authenticate(`bearer ${ownerToken}`, platform().world);
    if (owner === undefined) throw new Error("no owner");
    const ids = [...visibleNodes(platform().world, owner)].filter((node) => node.__typename !== "Topic").map((node) => node.id);
    const fork = repositoryNamed(platform().world, "octocat/widgets");
    // A fork holds the very objects of its parent.
    const shared = [...(fork?.objects.values() ?? [])].filter((object) => object.repository !== fork).length;
    expect(ids.length - new Set(ids).size).toBe(shared);
    for (const repository of platform().world.repositories) {
      const numbers = [...repository.issues, ...repository.pullRequests, ...repository.discussions].map((one) => one.number);
      expect(new Set(numbers).size, nameWithOwner(repository)).toBe(numbers.length);
      expect(Math.max(0, ...numbers)).toBe(repository.lastNumber);
    }
  });

  it("links every child back to its parent", () => {
    for (const repository of platform().world.repositories) {
      for (const child of [
        ...repository.issues,
        ...repository.pullRequests,
        ...repository.labels,
        ...repository.releases,
        ...repository.refs,
      ]) {
        expect(child.repository).toBe(repository);
      }
      for (const thread of [...repository.issues, ...repository.pullRequests]) {
        for (const comment of thread.comments) expect(comment.parent).toBe(thread);
        for (const label of thread.labels) expect(repository.labels).toContain(label);
        if (thread.milestone !== null) expect(repository.milestones).toContain(thread.milestone);
      }
      for (const pull of repository.pullRequests) {
        for (const thread of pull.reviewThreads) for (const comment of thread.comments) expect(comment.thread).toBe(thread);
        for (const review of pull.reviews) for (const comment of review.comments) expect(comment.pullRequestReview).toBe(review);
      }
      for (const star of repository.stargazers) expect(star.user.starred.some((one) => one.repository === repository)).toBe(true);
    }
  });

  it("keeps its dates in order", () => {
    for (const thread of platform().world.repositories.flatMap((one) => [...one.issues, ...one.pullRequests])) {
      const where = `${nameWithOwner(thread.repository)}#${thread.number}`;
      expect(thread.updatedAt >= thread.createdAt, where).toBe(true);
      expect(thread.state === "OPEN", where).toBe(thread.closedAt === null);
      if (thread.__typename === "PullRequest") expect(thread.state === "MERGED", where).toBe(thread.mergeCommit !== null);
    }
  });

  it("has the hard cases that callers must survive", () => {
    const repository = hello();
    const comments = repository.pullRequests.flatMap((pull) => pull.reviewThreads.map((thread) => thread.comments.length));
    expect(repository.issues.length).toBeGreaterThan(120);
    expect(Math.max(...comments)).toBeGreaterThan(100);
    expect(repository.issues.some((issue) => issue.author === null)).toBe(true);
    expect(repository.issues.some((issue) => issue.databaseId > 2 ** 31)).toBe(true);
    expect(new Set(repository.pullRequests.flatMap((pull) => pull.reviews.map((review) => review.state))).size).toBe(5);
    expect(new Set(repository.refs.map((ref) => ref.target.__typename))).toEqual(new Set(["Commit", "Tag"]));
    expect(repositoryNamed(platform().world, "Codertocat/Hello-World")?.issues[0]?.id).toBe("MDU6SXNzdWU0NDQ1MDAwNDE=");
  });
});
