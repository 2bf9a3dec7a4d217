import { describe, expect, it } from "vitest";
import type { Connector, SyncPlan } from "../../../runtime/contract/index.ts";
import { type Cache, type CacheOptions, type GraphqlBody, hello, resultOf } from "../../e2e/support/cache.ts";
import { useCaches } from "../../e2e/support/caches.ts";
import { addComment, keepFirst, later } from "../../e2e/support/change.ts";
import { found } from "../../e2e/support/world.ts";
import { unpaced, withBatches } from "../../support/fake-instance.ts";

// What a platform answers for one of several parents: that it does not know a cursor, that the parent is gone, or that it hides something.

const entities = ["comments"];
const full = { entities, full: true, massDelete: true };
const badCursor = { type: "INVALID_CURSOR_ARGUMENTS", message: "Not this cursor." };

const running = useCaches({
  shorten: (whole) => {
    keepFirst(whole, 2, 1);
    for (const one of [...whole.issues, ...whole.pullRequests]) one.comments.splice(0);
  },
});
const { open, repository } = running;

/** Gives both issues so many comments. */
function commented(...counts: readonly [number, number]): void {
  for (const [index, count] of counts.entries()) {
    const issue = found(repository().issues[index]);
    for (let nth = 0; nth < count; nth++) addComment(issue, later(issue.updatedAt, 1));
  }
}

/** A connector whose syncs read the children of one parent with each call, so many at once. */
function withoutBatches(connector: Connector, value: number): Connector {
  const planOf = (plan: SyncPlan): SyncPlan => {
    const { batch: _batch, ...each } = plan.each ?? { entity: "", params: {} };
    return plan.each === undefined ? plan : { ...plan, each, size: { param: "per_page", value } };
  };
  const all = Object.entries(connector.entities).map(([name, one]) => [name, { ...one, sync: one.sync.map(planOf) }]);
  return { ...connector, entities: Object.fromEntries(all) };
}
const batches = withBatches(unpaced, 2, 3);
const single = withoutBatches(unpaced, 3);

/** The places of the parents in a batch that are asked for a page behind a cursor. */
const withCursor = ({ variables }: GraphqlBody) =>
  Object.entries(variables).flatMap(([name, value]) => (/^after(_\d+)?$/.test(name) && value !== null ? [name.slice(6)] : []));
const emptyPage = { comments: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } };

const callsOf = ({ calls }: Cache) => calls.filter((name) => name.startsWith("CommentsList")).length;
const hiddenOf = async (cache: Cache) => (await cache.states()).find(({ entity }) => entity === "comments")?.hidden;
const ids = async (cache: Cache) => (await cache.records("comments")).map(({ id }) => String(id)).sort();
const commentIds = () =>
  repository()
    .issues.flatMap(({ comments }) => comments.map(({ id }) => id))
    .sort();

/** The ways in which a platform says that it does not know a cursor, and the connector that asks. */
const ways = [
  ["of a batch", batches, () => ({ data: null, errors: [badCursor] })],
  [
    "of one parent in a batch",
    batches,
    (body: GraphqlBody) => {
      const bad = `p${withCursor(body)[0]}`;
      const keys = Object.keys(body.variables).flatMap((name) => (name.startsWith("number_") ? [`p${name.slice(7)}`] : []));
      const repository = Object.fromEntries(keys.map((key) => [key, key === bad ? null : emptyPage]));
      return { data: { repository }, errors: [{ ...badCursor, path: ["repository", bad] }] };
    },
  ],
  ["of a single parent", single, () => ({ data: null, errors: [badCursor] })],
] as const;

describe("a cursor of a parent's list that the platform no longer knows", () => {
  /** The platform's answers, of which it refuses some with a cursor. */
  function refusing(answer: (body: GraphqlBody) => object, isRefused: (nth: number) => boolean): CacheOptions {
    let asked = 0;
    return {
      answer: (operation, body) => {
        if (!operation.startsWith("CommentsList") || withCursor(body).length === 0) return undefined;
        // Without an end to this, the test would hang.
        if (++asked > 20) throw new Error("asked too often");
        return isRefused(asked) ? answer(body) : undefined;
      },
    };
  }

  it.each(ways)("%s has that list read from its beginning", async (_what, connector, answer) => {
    commented(7, 1);
    const cache = await open({ connector, ...refusing(answer, (nth) => nth === 1) });
    const result = resultOf(await cache.sync([hello], { entities }), "comments");
    expect(result).toMatchObject({ outcome: "complete", inserted: 8, repeated: 0, removed: 0 });
    expect(await ids(cache)).toEqual(commentIds());
    // Nothing of it is left to be read.
    expect(resultOf(await cache.sync([hello], { entities }), "comments")).toMatchObject({ outcome: "complete", calls: 0 });
  });

  it.each(ways)("%s fails the sync when it is refused once more, and removes nothing", async (_what, connector, answer) => {
    commented(7, 1);
    const before = await open({ connector });
    await before.sync([hello], { entities });
    const cache = await open({ from: before.dataDir, connector, ...refusing(answer, () => true) });
    const result = resultOf(await cache.sync([hello], full), "comments");
    expect(result).toMatchObject({ outcome: "failed", removed: 0, problem: { code: "platform_failed" } });
    expect(result.problem?.message).toContain("The platform rejects cursors that it has just returned.");
    // The first page twice, and each time what follows.
    expect(callsOf(cache)).toBe(4);
    expect(await ids(cache)).toEqual(commentIds());
  });

  it("fails the sync at once where none was sent", async () => {
    commented(7, 1);
    const answer: CacheOptions["answer"] = (operation) =>
      operation === "CommentsListBatch" ? { data: null, errors: [badCursor] } : undefined;
    const cache = await open({ connector: batches, answer });
    expect(resultOf(await cache.sync([hello], { entities }), "comments")).toMatchObject({ outcome: "failed", inserted: 0 });
    expect(callsOf(cache)).toBe(1);
  });

  it.each(ways)(
    "%s may be behind many pages, which are then read again and bring nothing new",
    async (_what, connector, answer) => {
      commented(1, 0);
      let asked = 0;
      const cache = await open({
        connector,
        answer: (operation, body) => {
          if (!operation.startsWith("CommentsList")) return undefined;
          if (++asked === 25) return answer(body);
          const id = `c${asked % 25}`;
          const page = { comments: { nodes: [{ id }], pageInfo: { hasNextPage: asked < 50, endCursor: id } } };
          return { data: { repository: connector === single ? { issueOrPullRequest: page } : { p0: page } } };
        },
      });
      expect(resultOf(await cache.sync([hello], { entities }), "comments")).toMatchObject({ outcome: "complete" });
      expect(callsOf(cache)).toBe(50);
    },
  );
});

describe("a parent that is gone when its list is read with a call of its own", () => {
  it("has no records any longer, and the others are read", async () => {
    commented(2, 2);
    const before = await open({ connector: single });
    await before.sync([hello], { entities });
    const [gone, other] = repository().issues;
    const cache = await open({
      from: before.dataDir,
      connector: single,
      answer: (operation, { variables }) => {
        if (operation !== "CommentsList" || variables["number"] !== gone?.number) return undefined;
        const error = { type: "NOT_FOUND", path: ["repository", "issueOrPullRequest"], message: "Could not resolve." };
        return { data: { repository: { issueOrPullRequest: null } }, errors: [error] };
      },
    });
    const result = resultOf(await cache.sync([hello], full), "comments");
    expect(result).toMatchObject({ outcome: "complete", unchanged: 2, removed: 2 });
    expect(await ids(cache)).toEqual(found(other).comments.map(({ id }) => id));
  });
});

describe("a list of which more than its parent is gone, or less, when it is read with a call of its own", () => {
  const error = (path: readonly string[]) => ({ type: "NOT_FOUND", path, message: "Could not resolve." });
  it.each([
    ["the repository", { repository: null }, ["repository"]],
    ["the list", { repository: { issueOrPullRequest: { comments: null } } }, ["repository", "issueOrPullRequest", "comments"]],
  ])("fails the sync, which removes nothing: %s", async (_what, data, path) => {
    commented(2, 2);
    const before = await open({ connector: single });
    await before.sync([hello], { entities });
    const answer: CacheOptions["answer"] = (operation) =>
      operation === "CommentsList" ? { data, errors: [error(path)] } : undefined;
    const cache = await open({ from: before.dataDir, connector: single, answer });
    const result = resultOf(await cache.sync([hello], full), "comments");
    expect(result).toMatchObject({ outcome: "failed", removed: 0, problem: { code: "not_found" } });
    expect(await ids(cache)).toEqual(commentIds());
  });
});

describe("a parent of which the platform forbids a part", () => {
  it("is read no further, keeps its records, and is counted", async () => {
    commented(7, 2);
    const before = await open({ connector: batches });
    await before.sync([hello], { entities });
    const all = commentIds();
    const [first, second] = repository().issues;
    // Two comments are gone, of which one belongs to the parent that is not shown whole.
    found(first).comments.pop();
    found(second).comments.pop();
    const cache = await open({
      from: before.dataDir,
      connector: batches,
      answer: (operation, body) => {
        if (operation !== "CommentsListBatch") return undefined;
        const key = ["p0", "p1"].find((one) => body.variables[`number_${one.slice(1)}`] === found(first).number);
        const other = key === "p0" ? "p1" : "p0";
        const path = ["repository", key, "comments", "nodes", 0, "author"];
        const pageInfo = { hasNextPage: true, endCursor: "c1" };
        const repository = { [String(key)]: { comments: { nodes: [], pageInfo } }, [other]: emptyPage };
        return { data: { repository }, errors: [{ type: "FORBIDDEN", path, message: "Not this one." }] };
      },
    });
    const result = resultOf(await cache.sync([hello], full), "comments");
    expect(result).toMatchObject({ outcome: "complete", calls: 1, removed: 2 });
    expect(await hiddenOf(cache)).toBe(1);
    expect((await ids(cache)).length).toBe(all.length - 2);
  });
});
