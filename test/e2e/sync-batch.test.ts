import { describe, expect, it } from "vitest";
import type { ReviewComment } from "../../runtime/simulated/github/world/issue.ts";
import { unpaced, withBatches } from "../support/fake-instance.ts";
import { type CacheOptions, type GraphqlBody, hello, resultOf } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";
import { addComment, keepFirst, later, remove } from "./support/change.ts";
import { byKey, expectEqual } from "./support/live.ts";
import { found } from "./support/world.ts";

// A sync reads the children of several parents with one call. What goes wrong for one parent must not touch the others.

const children = ["comments", "reviews", "pr_comments", "directory_content", "file_content"];
const all = ["issues", "pull_requests", ...children];

const running = useCaches();
const { open, repository } = running;

/** How many parents a batched document reads for. */
const parentsOf = ({ query }: GraphqlBody) => query.match(/\bp\d+:/g)?.length ?? 0;

const errorOf = (type: string, path?: readonly (string | number)[]) => ({
  type,
  message: "It went wrong.",
  ...(path === undefined ? {} : { path }),
});

/** The parents' part of an answer in which each has these many empty lists. */
function emptyExcept(body: GraphqlBody, list: string, missing: readonly string[]): object {
  const keys = Array.from({ length: parentsOf(body) }, (_, index) => `p${index}`);
  const empty = { [list]: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } };
  return Object.fromEntries(keys.map((key) => [key, missing.includes(key) ? null : empty]));
}

describe("a batch", () => {
  it.each([
    [7, 1],
    [50, 20],
  ])("of %i parents with %i children each reads what single calls read", async (size, first) => {
    // More than one batch of the larger size: single calls read each of them again.
    keepFirst(repository(), 60, 20);
    const [issue] = repository().issues;
    for (let index = 0; index < 7; index++) addComment(found(issue), later(found(issue).updatedAt, 1));
    const thread = found(repository().pullRequests.flatMap(({ reviewThreads }) => reviewThreads)[0]);
    const [sample] = thread.comments;
    for (let index = 0; index < 5; index++) {
      const comment: ReviewComment = { ...found(sample), id: `PRRC_more${index}`, databaseId: 8_000_000_000 + index };
      thread.comments.push(comment);
    }
    const cache = await open({ connector: withBatches(unpaced, size, first) });
    expect((await cache.sync([hello], { entities: children })).outcome).toBe("complete");
    await expectEqual(cache, [hello], all);
    const again = await cache.sync([hello], { entities: children, full: true });
    const changes = again.entities.map(({ inserted, changed, removed }) => inserted + changed + removed);
    expect([again.outcome, new Set(changes)]).toEqual(["complete", new Set([0])]);
  });

  it.each([undefined, null, { hasNextPage: "true" }])("fails where a list has the pageInfo %j", async (pageInfo) => {
    const cache = await open({
      answer: (operation, body) => {
        if (operation !== "CommentsListBatch") return undefined;
        const keys = Array.from({ length: parentsOf(body) }, (_, index) => `p${index}`);
        return { data: { repository: Object.fromEntries(keys.map((key) => [key, { comments: { nodes: [], pageInfo } }])) } };
      },
    });
    const result = resultOf(await cache.sync([hello], { entities: ["comments"], full: true }), "comments");
    expect(result).toMatchObject({ outcome: "failed", removed: 0, problem: { code: "unexpected_response" } });
  });

  it("asks for the next pages of several parents together", async () => {
    const cache = await open({ connector: withBatches(unpaced, 50, 1) });
    await cache.sync([hello], { entities: ["comments"] });
    const threads = [...repository().issues, ...repository().pullRequests].filter(({ comments }) => comments.length > 0);
    const several = threads.filter(({ comments }) => comments.length > 1);
    expect(several.length).toBeGreaterThan(50);
    const calls = cache.calls.filter((name) => name === "CommentsListBatch").length;
    // Issues and pull requests are read one after the other, so the last call of either may not be full.
    expect(calls).toBeLessThanOrEqual(Math.ceil(threads.length / 50) + Math.ceil(several.length / 50) + 2);
  });

  it("is halved while the platform finds it too expensive", async () => {
    const sizes: number[] = [];
    const cache = await open({
      answer: (operation, body) => {
        if (operation !== "ReviewsListBatch") return undefined;
        sizes.push(parentsOf(body));
        return parentsOf(body) > 4 ? { errors: [errorOf("RESOURCE_LIMITS_EXCEEDED")] } : undefined;
      },
    });
    expect((await cache.sync([hello], { entities: ["reviews"] })).outcome).toBe("complete");
    expect(sizes[0]).toBeGreaterThan(16);
    expect(Math.min(...sizes)).toBeLessThanOrEqual(4);
    // A size that was refused is not tried again at once.
    const fitting = sizes.findIndex((size) => size <= 4);
    expect(sizes.slice(fitting, fitting + 6).every((size) => size <= 4)).toBe(true);
    await expectEqual(cache, [hello], ["reviews"]);
  });

  it("is halved when a gateway gives up", async () => {
    let gaveUp = 0;
    const cache = await open({
      before: (operation) => {
        if (operation === "ReviewsListBatch" && gaveUp++ === 0) running.platform.fail({ kind: "gateway", status: 502 });
      },
    });
    expect((await cache.sync([hello], { entities: ["reviews"] })).outcome).toBe("complete");
    expect(cache.calls.filter((name) => name === "ReviewsListBatch").length).toBeGreaterThan(1);
    await expectEqual(cache, [hello], ["reviews"]);
  });
});

describe("an error of one parent", () => {
  /** Answers that forbid what belongs to some pull requests. */
  const forbidding = (numbers: () => readonly unknown[], children: { readonly operation: string; readonly list: string }) => {
    const asked: unknown[] = [];
    const answer: CacheOptions["answer"] = (operation, body) => {
      if (operation !== children.operation) return undefined;
      const all = Array.from({ length: parentsOf(body) }, (_, index) => body.variables[`number_${index}`]);
      asked.push(...all);
      const keys = all.flatMap((number, index) => (numbers().includes(number) ? [`p${index}`] : []));
      if (keys.length === 0) return undefined;
      const data = { repository: emptyExcept(body, children.list, keys) };
      return { data, errors: keys.map((key) => errorOf("FORBIDDEN", ["repository", key])) };
    };
    return { asked, answer };
  };
  const reviews = { operation: "ReviewsListBatch", list: "reviews" };

  it("that it forbids leaves its children as they are, and is not asked for again until something tells of a change", async () => {
    const cache = await open();
    await cache.sync([hello], { entities: ["reviews"] });
    const before = await cache.records("reviews");
    const held = found(before[0])["number"];
    const ofHeld = before.filter(({ number }) => number === held);
    let forbidden = [held];
    // The answers are empty for all others, whose reviews are gone therefore.
    const { asked, answer } = forbidding(() => forbidden, reviews);
    const second = await open({ from: cache.dataDir, answer });
    const sync = (full: boolean) => second.sync([hello], { entities: ["reviews"], full, massDelete: true });
    expect(resultOf(await sync(true), "reviews")).toMatchObject({ outcome: "complete", removed: before.length - ofHeld.length });
    expect(await second.records("reviews")).toEqual(ofHeld);
    const hidden = async () => (await second.states()).find(({ entity }) => entity === "reviews")?.hidden;
    expect(await hidden()).toBe(1);
    asked.length = 0;
    expect(resultOf(await sync(false), "reviews")).toMatchObject({ outcome: "complete", calls: 0, removed: 0 });
    const pull = found(repository().pullRequests.find(({ number }) => number === held));
    const newest = found(
      repository()
        .pullRequests.map(({ updatedAt }) => updatedAt)
        .sort()
        .at(-1),
    );
    pull.updatedAt = later(newest, 3600);
    expect(resultOf(await sync(false), "reviews")).toMatchObject({ outcome: "complete", removed: 0 });
    expect([asked, await hidden(), (await second.records("reviews")).length]).toEqual([[held], 1, ofHeld.length]);
    forbidden = [];
    expect(resultOf(await sync(true), "reviews").outcome).toBe("complete");
    expect(await hidden()).toBe(0);
    await expectEqual(second, [hello], ["reviews"]);
  });

  it("that it forbids is no longer noted when the parent itself is gone", async () => {
    const pull = found(repository().pullRequests.find(({ reviews: own }) => own.length > 0));
    const { answer } = forbidding(() => [pull.number], reviews);
    const cache = await open({ answer });
    await cache.sync([hello], { entities: ["reviews"], full: true, massDelete: true });
    const hidden = async () => (await cache.states()).find(({ entity }) => entity === "reviews")?.hidden;
    expect(await hidden()).toBe(1);
    remove(repository().pullRequests, pull);
    await cache.sync([hello], { entities: ["pull_requests"], full: true });
    expect(await hidden()).toBe(0);
  });

  it("for each of them means that the token may not read the entity: nothing is removed, and all are asked for again", async () => {
    const cache = await open();
    await cache.sync([hello], { entities: ["reviews"] });
    const before = (await cache.records("reviews")).length;
    let forbidden: readonly number[] = repository().pullRequests.map(({ number }) => number);
    const second = await open({ from: cache.dataDir, answer: forbidding(() => forbidden, reviews).answer });
    const sync = (full: boolean) => second.sync([hello], { entities: ["reviews"], full, massDelete: true });
    const result = resultOf(await sync(true), "reviews");
    expect([result.outcome, result.removed, result.problem?.code]).toEqual(["partial", 0, "platform_forbidden"]);
    expect((await second.records("reviews")).length).toBe(before);
    forbidden = [];
    expect(resultOf(await sync(false), "reviews").outcome).toBe("complete");
    await expectEqual(second, [hello], ["reviews"]);
  });

  it("that is a folder does not keep the sync from its end", async () => {
    const cache = await open({
      answer: (operation, body) => {
        if (operation !== "DirectoryContentListBatch") return undefined;
        const data = { repository: Object.fromEntries(Array.from({ length: parentsOf(body) }, (_, at) => [`p${at}`, null])) };
        return { data, errors: Object.keys(data.repository).map((key) => errorOf("FORBIDDEN", ["repository", key])) };
      },
    });
    const result = resultOf(await cache.sync([hello], { entities: ["directory_content"] }), "directory_content");
    expect(result.outcome).toBe("complete");
    expect((await cache.states()).find(({ entity }) => entity === "directory_content")?.hidden).toBeGreaterThan(0);
    const paths = (await cache.records("directory_content")).map(({ path }) => String(path));
    expect(paths).not.toEqual([]);
    expect(paths.filter((path) => path.includes("/"))).toEqual([]);
  });

  it("that may pass is asked for again, and the others are not", async () => {
    const asked: number[] = [];
    let failures = 2;
    const cache = await open({
      answer: (operation, body) => {
        if (operation !== "ReviewsListBatch") return undefined;
        asked.push(parentsOf(body));
        if (failures-- <= 0) return undefined;
        const key = `p${parentsOf(body) - 1}`;
        const data = { repository: emptyExcept(body, "reviews", [key]) };
        return { data, errors: [errorOf("INTERNAL", ["repository", key])] };
      },
    });
    const pulls = repository().pullRequests.length;
    expect((await cache.sync([hello], { entities: ["reviews"] })).outcome).toBe("complete");
    expect(asked[0]).toBe(Math.min(50, pulls));
    // One parent at a time is left over, and the third answer is the platform's own.
    expect(asked.slice(1).reduce((sum, size) => sum + size, 0)).toBe(Math.max(0, pulls - 50) + 2);
  });

  it("ends the sync run when it comes again and again, and removes nothing", async () => {
    const cache = await open();
    await cache.sync([hello], { entities: ["reviews"] });
    const before = (await cache.records("reviews")).length;
    const second = await open({
      from: cache.dataDir,
      answer: (operation, body) => {
        if (operation !== "ReviewsListBatch") return undefined;
        const data = { repository: emptyExcept(body, "reviews", ["p0"]) };
        return parentsOf(body) === 1
          ? { data: { repository: { p0: { reviews: null } } } }
          : { data, errors: [errorOf("INTERNAL", ["repository", "p0"])] };
      },
    });
    const result = resultOf(await second.sync([hello], { entities: ["reviews"], full: true, massDelete: true }), "reviews");
    expect([result.outcome, result.removed]).toEqual(["failed", 0]);
    expect((await second.records("reviews")).length).toBe(before);
  });
});

describe("an error that belongs to no parent", () => {
  it.each([
    ["without a path", undefined],
    ["at what stands above the parents", ["repository"]],
  ])("%s does not make parents look as if they were gone", async (_title, path) => {
    const cache = await open();
    await cache.sync([hello], { entities: ["reviews"] });
    const before = (await cache.records("reviews")).length;
    let failures = 2;
    const second = await open({
      from: cache.dataDir,
      answer: (operation, body) =>
        operation === "ReviewsListBatch" && failures-- > 0
          ? { data: { repository: emptyExcept(body, "reviews", ["p0", "p1", "p2"]) }, errors: [errorOf("INTERNAL", path)] }
          : undefined,
    });
    const result = resultOf(await second.sync([hello], { entities: ["reviews"], full: true, massDelete: true }), "reviews");
    expect([result.outcome, result.removed]).toEqual(["complete", 0]);
    expect((await second.records("reviews")).length).toBe(before);
  });
});

describe("a sync that is cut off between the pages of a batch", () => {
  it("goes on with the pages that remain", async () => {
    const connector = withBatches(unpaced, 10, 1);
    const whole = await open({ connector });
    await whole.sync([hello], { entities: ["comments"] });
    for (const stopAt of [2, 9]) {
      const cache = await open({ connector });
      const end = new AbortController();
      let pages = 0;
      await cache.sync([hello], {
        entities: ["comments"],
        signal: end.signal,
        onProgress: ({ kind, entity }) => void (kind === "page" && entity === "comments" && ++pages === stopAt && end.abort()),
      });
      const before = cache.calls.length;
      expect((await cache.sync([hello], { entities: ["comments"] })).outcome).toBe("complete");
      expect(cache.calls.length - before).toBeLessThan(whole.calls.length);
      expect(byKey("comments", await cache.records("comments"))).toEqual(byKey("comments", await whole.records("comments")));
    }
  });
});
