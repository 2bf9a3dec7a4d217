import { beforeEach, describe, expect, it } from "vitest";
import { type Cache, type GraphqlBody, hello, type Row, resultOf } from "./support/cache.ts";
import { useCaches } from "./support/caches.ts";
import { addIssue } from "./support/change.ts";
import { label } from "./support/make.ts";
import { found } from "./support/world.ts";

// A list that cached search looks into is read to its end, although a page of records has only its beginning.

const entities = ["issues", "releases"];
const at = "2024-06-01T12:00:00Z";

const running = useCaches();
const { open, repository } = running;
beforeEach(() => {
  // All issues fit into one page. The first of several pages would be read twice, and with it the lists of its records.
  repository().issues.splice(20);
});

/** Gives an issue so many labels. @returns their names, in the order of the names */
function labelled(count: number): { readonly id: string; readonly names: readonly string[] } {
  const issue = addIssue(repository(), at);
  issue.labels = Array.from({ length: count }, (_, index) => label(repository(), `${issue.id}-${index}`));
  return { id: issue.id, names: issue.labels.map(({ name }) => name).sort() };
}

/** Gives a release so many assets. */
function withAssets(count: number): { readonly id: string; readonly names: readonly string[] } {
  const release = found(repository().releases.find(({ assets }) => assets.length > 0));
  const [asset] = release.assets;
  release.assets = Array.from({ length: count }, (_, index) => ({
    ...found(asset),
    id: `RA_${index}`,
    name: `file-${index}.zip`,
  }));
  return { id: release.id, names: release.assets.map(({ name }) => name).sort() };
}

async function namesOf(cache: Cache, entity: string, id: string, list: string): Promise<string[]> {
  const record = found((await cache.records(entity)).find((one) => one["id"] === id));
  return (record[list] as Row[]).map(({ name }) => String(name)).sort();
}

const listsIn = ({ query }: GraphqlBody) => query.match(/\bp\d+:/g)?.length ?? 0;
const callsOf = ({ calls }: Cache, operation: string) => calls.filter((name) => name === operation).length;

describe("lists with more elements than a page has", () => {
  it("are stored whole, several with each call, which is counted", async () => {
    const [many, few] = [labelled(330), labelled(130)];
    const whole = labelled(100);
    const assets = withAssets(250);
    const cache = await open();
    const result = await cache.sync([hello], { entities });
    expect(result.outcome).toBe("complete");
    for (const { id, names } of [many, few, whole]) expect(await namesOf(cache, "issues", id, "labels")).toEqual(names);
    expect(await namesOf(cache, "releases", assets.id, "assets")).toEqual(assets.names);
    // 100 are in the page of the record. The first call reads on both lists, the others only the longer one.
    expect([callsOf(cache, "IssuesOverflow"), callsOf(cache, "ReleasesOverflow")]).toEqual([3, 2]);
    const pages = callsOf(cache, "IssuesSync");
    expect(resultOf(result, "issues")).toMatchObject({ calls: pages + 3 });
    expect(resultOf(result, "issues").points).toBeGreaterThanOrEqual(pages + 3);
  });

  it("cost nothing while nothing has changed, and are compared when they are read again", async () => {
    const assets = withAssets(250);
    const cache = await open();
    await cache.sync([hello], { entities });
    cache.calls.length = 0;
    const again = await cache.sync([hello], { entities, full: true });
    expect(again.entities.map(({ changed }) => changed)).toEqual([0, 0]);
    expect(callsOf(cache, "ReleasesOverflow")).toBe(2);
    const release = found(repository().releases.find(({ id }) => id === assets.id));
    release.assets.splice(180, 1);
    release.updatedAt = "2025-01-01T00:00:00Z";
    expect(resultOf(await cache.sync([hello], { entities }), "releases").changed).toBe(1);
    expect((await namesOf(cache, "releases", assets.id, "assets")).length).toBe(249);
  });

  it("are found by the elements behind the page", async () => {
    const { id } = labelled(130);
    const cache = await open();
    await cache.sync([hello], { entities });
    const last = found((await namesOf(cache, "issues", id, "labels")).at(-1));
    const filter = { kind: "test", operator: "eq", field: "labels", operand: last } as const;
    const collection = { connector: "github", instance: "github", entity: "issues" };
    const asked = { sort: [], limit: 10, fields: new Map([["id", null]]), explain: false, filter };
    const { json } = await cache.store.search(collection, asked, performance.now() + 20_000);
    expect(JSON.parse(Buffer.from(json).toString())).toEqual([{ id }]);
  });
});

describe("a sync that is cut off while it reads such a list", () => {
  it("stores no record with a part of it, and reads all of it the next time", async () => {
    const { id, names } = labelled(330);
    const end = new AbortController();
    let calls = 0;
    const cache = await open({
      before: (operation) => {
        if (operation === "IssuesOverflow" && ++calls === 2) end.abort();
      },
    });
    const first = await cache.sync([hello], { entities: ["issues"], signal: end.signal });
    expect([resultOf(first, "issues").outcome, calls]).toEqual(["failed", 2]);
    expect((await cache.records("issues")).some((one) => one["id"] === id)).toBe(false);
    expect((await cache.sync([hello], { entities: ["issues"] })).outcome).toBe("complete");
    expect(await namesOf(cache, "issues", id, "labels")).toEqual(names);
  });
});

describe("when the platform does not give the rest of a list", () => {
  const answered = (data: object, errors: readonly object[] = []) => ({ data, ...(errors.length === 0 ? {} : { errors }) });
  const fault = (type: string, path: readonly string[]) => ({ type, path, message: "It went wrong." });

  it.each([
    ["the record is gone", answered({ p0: null }, [fault("NOT_FOUND", ["p0"])]), "complete", 1],
    ["it is forbidden", answered({ p0: null }, [fault("FORBIDDEN", ["p0"])]), "partial", 1],
    ["it fails again and again", answered({ p0: { labels: null } }), "failed", 3],
    [
      "it leaves out an element",
      answered({ p0: { labels: { nodes: [null], pageInfo: { hasNextPage: false } } } }),
      "complete",
      1,
    ],
    ["it goes on without a new cursor", "same", "partial", 1],
  ] as const)("because %s, the outcome tells", async (_title, body, outcome, calls) => {
    const { id } = labelled(130);
    const cache = await open({
      answer: (operation, { variables }) => {
        if (operation !== "IssuesOverflow") return undefined;
        if (body !== "same") return body;
        const pageInfo = { hasNextPage: true, endCursor: variables["after_0"] };
        return answered({ p0: { labels: { nodes: [], pageInfo } } });
      },
    });
    expect(resultOf(await cache.sync([hello], { entities: ["issues"] }), "issues").outcome).toBe(outcome);
    expect(callsOf(cache, "IssuesOverflow")).toBe(calls);
    const stored = (await cache.records("issues")).some((one) => one["id"] === id);
    expect(stored).toBe(outcome !== "failed");
  });

  it("for one record, the others get theirs", async () => {
    const [gone, other] = [labelled(130), labelled(230)];
    const cache = await open({
      answer: (operation, { variables }) => {
        if (operation !== "IssuesOverflow") return undefined;
        const index = [0, 1].find((one) => variables[`id_${one}`] === gone.id);
        if (index === undefined) return undefined;
        const rest = { labels: { nodes: [], pageInfo: { hasNextPage: true, endCursor: variables[`after_${1 - index}`] } } };
        // The answer leaves the other list where it was, with an error that may pass.
        return answered({ [`p${index}`]: null, [`p${1 - index}`]: rest }, [
          fault("NOT_FOUND", [`p${index}`]),
          fault("INTERNAL", [`p${1 - index}`, "labels"]),
        ]);
      },
    });
    expect((await cache.sync([hello], { entities: ["issues"] })).outcome).toBe("complete");
    expect(await namesOf(cache, "issues", other.id, "labels")).toEqual(other.names);
    expect((await namesOf(cache, "issues", gone.id, "labels")).length).toBe(100);
  });

  it("and all is empty because of one record, the lists are asked for one by one", async () => {
    const lists = [labelled(130), labelled(130), labelled(130)];
    const [gone] = lists;
    const cache = await open({
      answer: (operation, body) => {
        if (operation !== "IssuesOverflow") return undefined;
        const index = [0, 1, 2].find((one) => body.variables[`id_${one}`] === found(gone).id);
        return index === undefined ? undefined : { data: null, errors: [fault("NOT_FOUND", [`p${index}`])] };
      },
    });
    expect((await cache.sync([hello], { entities: ["issues"] })).outcome).toBe("complete");
    expect(callsOf(cache, "IssuesOverflow")).toBe(4);
    for (const { id, names } of lists.slice(1)) expect(await namesOf(cache, "issues", id, "labels")).toEqual(names);
  });

  it("because it does not know the cursor any more, the list is read from its beginning", async () => {
    const { id, names } = labelled(230);
    let refused = 0;
    const cache = await open({
      answer: (operation) =>
        operation === "IssuesOverflow" && refused++ === 0
          ? { data: { p0: null }, errors: [fault("INVALID_CURSOR_ARGUMENTS", ["p0", "labels"])] }
          : undefined,
    });
    expect((await cache.sync([hello], { entities: ["issues"] })).outcome).toBe("complete");
    expect(await namesOf(cache, "issues", id, "labels")).toEqual(names);
  });

  it("because it finds the call too expensive, fewer lists are asked for", async () => {
    const lists = Array.from({ length: 7 }, () => labelled(130));
    const sizes: number[] = [];
    const cache = await open({
      answer: (operation, body) => {
        if (operation !== "IssuesOverflow") return undefined;
        sizes.push(listsIn(body));
        return listsIn(body) > 2 ? { errors: [{ type: "RESOURCE_LIMITS_EXCEEDED", message: "Too much." }] } : undefined;
      },
    });
    expect((await cache.sync([hello], { entities: ["issues"] })).outcome).toBe("complete");
    expect(sizes).toEqual([7, 4, 2, 2, 2, 1]);
    for (const { id, names } of lists) expect(await namesOf(cache, "issues", id, "labels")).toEqual(names);
  });
});

describe("a list that the platform always finds too expensive", () => {
  it("fails the sync: it is not requested again", async () => {
    for (let i = 0; i < 2; i++) labelled(130);
    const sizes: number[] = [];
    const cache = await open({
      answer: (operation, body) => {
        if (operation !== "IssuesOverflow") return undefined;
        sizes.push(listsIn(body));
        // Without an end to this, the test would hang.
        if (sizes.length > 20) throw new Error("asked too often");
        return { errors: [{ type: "RESOURCE_LIMITS_EXCEEDED", message: "Too much." }] };
      },
    });
    const result = await cache.sync([hello], { entities: ["issues"] });
    expect(sizes).toEqual([2, 1]);
    expect(resultOf(result, "issues")).toMatchObject({ outcome: "failed", problem: { code: "platform_too_complex" } });
  });
});

describe("a list inside a record without an end", () => {
  it("whose cursors are always new makes the sync partial", async () => {
    labelled(130);
    let nth = 0;
    const cache = await open({
      answer: (operation) => {
        if (operation !== "IssuesOverflow") return undefined;
        const nodes = Array.from({ length: 40_000 }, () => ({ name: "again" }));
        return { data: { p0: { labels: { nodes, pageInfo: { hasNextPage: true, endCursor: `c${nth++}` } } } } };
      },
    });
    expect(resultOf(await cache.sync([hello], { entities: ["issues"] }), "issues").outcome).toBe("partial");
    expect(nth).toBe(3);
  });

  it.each([
    ["whose cursors go round in a circle", (nth: number) => `c${nth % 3}`, 1, "a second time"],
    ["that goes on without elements", (nth: number) => `c${nth}`, 0, "without any element"],
  ])("%s fails the sync", async (_what, cursorOf, elements, message) => {
    labelled(130);
    let asked = 0;
    const cache = await open({
      answer: (operation) => {
        if (operation !== "IssuesOverflow") return undefined;
        const nodes = Array.from({ length: elements }, () => ({ name: "again" }));
        return { data: { p0: { labels: { nodes, pageInfo: { hasNextPage: true, endCursor: cursorOf(asked++) } } } } };
      },
    });
    const result = resultOf(await cache.sync([hello], { entities: ["issues"] }), "issues");
    expect(result).toMatchObject({ outcome: "failed", problem: { code: "platform_failed" } });
    expect(result.problem?.message).toContain(message);
    expect(asked).toBeLessThan(50);
  });
});
