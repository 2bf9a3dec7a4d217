import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { isObject } from "../../../runtime/base/is-object.ts";
import type { Action, SyncBatch } from "../../../runtime/contract/index.ts";
import { type BatchAnswer, prepareRequest, runBatch } from "../../../runtime/execute/index.ts";
import { fakeInstance, unpaced } from "../../support/fake-instance.ts";

// One call that reads for several parents: the reviews of pull requests, and the content of files.

const context = {
  timeout: 5_000,
  signal: new AbortController().signal,
  log: pino({ level: "silent" }),
  requestId: "test",
};

/** How a sync of GitHub reads an entity for each record of another. */
function planOf(entity: string): { readonly action: Action; readonly batch: SyncBatch } {
  const [{ action, each } = {}] = unpaced.entities[entity]?.sync ?? [];
  if (action === undefined || each?.batch === undefined) throw new Error(`${entity} is not read in batches`);
  return { action, batch: each.batch };
}

/** Reads for the first parents; the platform answers each call with the next of these bodies, and from then on with the last one. */
async function read(
  entity: string,
  asked: number | { readonly parents: number; readonly after: string },
  ...answers: (object | Response)[]
) {
  const { parents, after } = typeof asked === "number" ? { parents: asked, after: undefined } : asked;
  const { action, batch } = planOf(entity);
  const own = (at: number) => (entity === "reviews" ? { number: at, fields: ["id"] } : { path: `p${at}`, fields: ["text"] });
  const asks = Array.from({ length: parents }, (_, at) => ({
    request: prepareRequest(action, { owner: "o", repo: "r", ...own(at + 1) }),
    ...(after === undefined ? {} : { after }),
  }));
  const { instance, seen } = fakeInstance(() => answers[Math.min(seen.length, answers.length) - 1] ?? {});
  const found: BatchAnswer[] | Error = await runBatch(instance, batch, asks, context).catch((thrown: Error) => thrown);
  const variables = seen.map(({ body }) => (isObject(body) && isObject(body["variables"]) ? body["variables"] : {}));
  return { found, variables };
}

const reviews = (nodes: readonly unknown[], pageInfo: object = { hasNextPage: false, endCursor: null }) => ({
  reviews: { nodes, pageInfo },
});
const [first, second] = [reviews([{ id: "first" }]), reviews([{ id: "second" }])];
const whole = (id: string) => ({ kind: "page", records: [{ id }], more: [], whole: true });

describe("a call that reads for several parents", () => {
  it("gives each its records", async () => {
    const { found, variables } = await read("reviews", 2, { data: { repository: { p0: first, p1: second } } });
    expect(found).toEqual([whole("first"), whole("second")]);
    expect(variables).toEqual([{ owner: "o", repo: "r", first: 20, number_0: 1, number_1: 2 }]);
  });

  it.each([
    ["a record", "FORBIDDEN", [null, { id: "second" }], { whole: false, forbidden: true }],
    ["a record", "ODD", [null, { id: "second" }], { whole: false }],
    ["a value", "ODD", [{ id: "second" }], { whole: false }],
  ])("tells a parent of which the platform hides %s, by %s, from the others", async (_what, type, nodes, more) => {
    const errors = [{ type, message: "No.", path: ["repository", "p1", "reviews", "nodes", 0] }];
    const p1 = reviews(nodes);
    const { found } = await read("reviews", 2, { data: { repository: { p0: first, p1 } }, errors });
    expect(found).toEqual([whole("first"), { ...whole("second"), ...more }]);
  });

  it.each([
    ["SERVICE_UNAVAILABLE", "again", "platform_failed"],
    ["FORBIDDEN", "failed", "platform_forbidden"],
  ])("tells a parent whose list may go on, by %s, from the others", async (type, kind, code) => {
    const errors = [{ type, message: "No.", path: ["repository", "p1", "reviews", "pageInfo"] }];
    const p1 = { reviews: { nodes: [{ id: "second" }], pageInfo: null } };
    const { found } = await read("reviews", 2, { data: { repository: { p0: first, p1 } }, errors });
    expect(found).toMatchObject([whole("first"), { kind, error: { code } }]);
  });

  it("takes the records of a parent of which only a value within them is missing, whatever that is", async () => {
    const errors = [{ type: "ODD", message: "No.", path: ["repository", "p1", "reviews", "nodes", 0, "labels", "pageInfo"] }];
    const { found } = await read("reviews", 2, { data: { repository: { p0: first, p1: second } }, errors });
    expect(found).toEqual([whole("first"), { ...whole("second"), whole: false }]);
  });

  it("has nothing whole, when the platform hides what belongs to some organizations", async () => {
    const headers = { "x-github-sso": "partial-results; organizations=1" };
    const { found } = await read("reviews", 2, Response.json({ data: { repository: { p0: first, p1: second } } }, { headers }));
    expect(found).toEqual([
      { ...whole("first"), whole: false },
      { ...whole("second"), whole: false },
    ]);
  });

  it("is whole where a text is cut, of which the platform says so", async () => {
    const blob = (isTruncated: boolean) => ({ __typename: "Blob", textCut: isTruncated, text: "A" });
    const { found } = await read("file_content", 2, { data: { repository: { p0: blob(false), p1: blob(true) } } });
    expect(found).toMatchObject([
      { records: [{ text: "A" }], whole: true },
      { records: [{ text: "A" }], whole: true },
    ]);
  });

  it.each([
    ["", { more: [], whole: false }],
    [null, { more: [], whole: false }],
    ["c", { more: [{ after: "c" }], whole: true }],
  ])("reads on behind a cursor, and not behind %j", async (endCursor, more) => {
    const p0 = reviews([{ id: "first" }], { hasNextPage: true, endCursor });
    const { found } = await read("reviews", 1, { data: { repository: { p0 } } });
    expect(found).toEqual([{ ...whole("first"), ...more }]);
  });

  it("tells a parent that is gone from what all parents belong to", async () => {
    const errors = [{ type: "NOT_FOUND", message: "No.", path: ["repository", "p1"] }];
    const gone = await read("reviews", 2, { data: { repository: { p0: first, p1: null } }, errors });
    expect(gone.found).toEqual([whole("first"), { kind: "gone" }]);
    const all = await read("reviews", 2, { data: { repository: null } });
    expect(all.found).toMatchObject({ code: "not_found" });
  });
});

describe("a call that reads too much for the platform", () => {
  const refused = { data: null, errors: [{ type: "RESOURCE_LIMITS_EXCEEDED", message: "Too much." }] };

  it("reads for half of the parents, then half of each page, down to one record", async () => {
    const { found, variables } = await read("reviews", 3, refused);
    expect(found).toMatchObject({ code: "platform_too_complex" });
    const sizes = variables.map(({ first, number_1, number_2 }) => [first, number_1, number_2]);
    expect(sizes).toEqual([
      [20, 2, 3],
      [20, 2, undefined],
      [20, undefined, undefined],
      ...[10, 5, 3, 2, 1].map((first) => [first, undefined, undefined]),
    ]);
  });

  it("reads less behind a cursor, where pages are as long as the platform allows", async () => {
    const { found, variables } = await read("reviews", { parents: 1, after: "c" }, refused);
    expect(found).toMatchObject({ code: "platform_too_complex" });
    expect(variables.map(({ first }) => first)).toEqual([100, 50, 25, 13, 7, 4, 2, 1]);
  });

  it("says for which parents it has read", async () => {
    const { found } = await read("reviews", 3, refused, { data: { repository: { p0: first, p1: second } } });
    expect(found).toEqual([whole("first"), whole("second")]);
  });

  it("cannot be smaller than for one record that has no pages", async () => {
    const { found, variables } = await read("file_content", 2, refused);
    expect([found, variables.length]).toEqual([expect.objectContaining({ code: "platform_too_complex" }), 2]);
  });
});
