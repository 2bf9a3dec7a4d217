import { describe, expect, it } from "vitest";
import type { CollectionSync } from "../../../runtime/store/collection-sync.ts";
import type { StoreAnswer } from "../../../runtime/store/store.ts";
import { fakeInstance, run } from "../../support/fake-instance.ts";

/** A search of issues in a store that answers this. */
async function metaOf(
  answer: Partial<StoreAnswer>,
  query: object = {},
  ignoreCase = true,
  more: Partial<ReturnType<typeof fakeInstance>["instance"]> = {},
) {
  const { instance: given } = fakeInstance(() => ({}));
  const repository = { params: ["owner", "repo"], doc: "", ...(ignoreCase ? { ignoreCase: true as const } : {}) };
  const scopes = { ...given.connector.scopes, repository };
  const instance = { ...given, connector: { ...given.connector, scopes } };
  const found: StoreAnswer = {
    json: Buffer.from("[]"),
    more: false,
    last: undefined,
    syncedAt: new Date().toISOString(),
    sync: { scopes: 1, reported: [], schedule: null, misfits: {} },
    unlisted: [],
    ...answer,
  };
  const store: typeof instance.store = {
    search: async () => found,
    parseStatement: async () => {
      throw new Error("no statement is run here");
    },
    runStatement: async () => {
      throw new Error("no statement is run here");
    },
    states: async () => [],
    leased: async () => false,
    schedule: async () => null,
    changes: async () => ({ log: "", first: 0, next: 0, changes: [], position: 0 }),
    current: async () => [],
  };
  const request = { entity: "issues", action: "context_store_search", params: { query } };
  return (await run({ ...instance, ...more, store }, request)).meta;
}

describe("a cached search", () => {
  it("warns of values that its records have and their enumeration does not list", async () => {
    const many = Array.from({ length: 21 }, (_, at) => ({ field: "state", value: `s${at}` }));
    const { warnings = [] } = await metaOf({ unlisted: many });
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toEqual({
      path: "data",
      code: "more_warnings",
      message: "state has more values that its enumeration does not list.",
    });
    expect((await metaOf({ unlisted: [{ field: "state", value: "frozen" }] })).warnings).toEqual([
      { path: "data", code: "unlisted_value", message: 'state has the value "frozen", which is not one of closed, open.' },
    ]);
  });

  it("has no warnings where there is nothing to warn of, and those of the filter first", async () => {
    expect(await metaOf({})).not.toHaveProperty("warnings");
    const { warnings } = await metaOf({ unlisted: [{ field: "state", value: "frozen" }] }, { filter: { eq: { state: "OPEN" } } });
    expect(warnings?.map(({ code }) => code)).toEqual(["unknown_value", "unlisted_value"]);
  });
});

it("a cached search with more groups than a response may have is refused at what groups it", async () => {
  await expect(metaOf({ tooManyGroups: true })).rejects.toMatchObject({
    code: "invalid_request",
    faults: [{ pointer: "/params/groupBy", code: "too_many_groups", message: expect.stringContaining("Narrow the filter") }],
  });
});

describe("a cached search warns", () => {
  const never: Partial<StoreAnswer> = { syncedAt: null, sync: { scopes: 0, reported: [], schedule: null, misfits: {} } };
  const now = new Date().toISOString();
  const old = "2020-01-01T00:00:00.000Z";
  const hello = { scope: "repository=octocat/hello-world", completedAt: now, problem: null };
  const synced = (...reported: CollectionSync["reported"]) => ({ sync: { scopes: 3, reported, schedule: null, misfits: {} } });
  const inRepository = (value: string) => ({ filter: { and: [{ eq: { repository: value } }, { eq: { state: "open" } }] } });
  const codes = async (...given: Parameters<typeof metaOf>) => ((await metaOf(...given)).warnings ?? []).map(({ code }) => code);

  it("that nothing was synced, with the command and the route that sync it", async () => {
    expect((await metaOf(never)).warnings).toEqual([
      {
        path: "data",
        code: "not_synced",
        message:
          'No sync has read issues yet. To sync it, run `tenon sync github --scope repository=owner/repo`, or send POST /api/v1/integrations/connectors/github/sync with {"scopes":["repository=owner/repo"]}.',
      },
    ]);
  });

  it("with the command that works for its user, and no route, in a process without a service", async () => {
    const message = async (more: Parameters<typeof metaOf>[3]) => (await metaOf(never, {}, true, more)).warnings?.[0]?.message;
    const own = { ownCommand: "TENON_DATA_DIR=/home/ada/.tenon node /opt/tenon.js" };
    const command = `${own.ownCommand} sync github --scope repository=owner/repo`;
    expect(await message(own)).toBe(
      `No sync has read issues yet. To sync it, run \`${command}\` in a shell with the same credential.`,
    );
    expect(await message({ ...own, simulated: true })).toBe(`No sync has read issues yet. To sync it, run \`${command}\`.`);
  });

  it("that the scope of the filter was not synced, and not when it was, in whatever case it is written", async () => {
    const { warnings } = await metaOf(synced(), inRepository("other/one"));
    expect(warnings).toMatchObject([
      { code: "not_synced", message: expect.stringMatching(/of repository=other\/one .*--scope repository=other\/one`/) },
    ]);
    expect(await codes(synced(hello), inRepository("Octocat/Hello-World"))).toEqual([]);
    // On a platform that tells capitals from small letters it is another repository.
    expect(await codes(synced(hello), inRepository("Octocat/Hello-World"), false)).toEqual(["not_synced"]);
    expect(await codes(synced(hello), inRepository("octocat/hello-world"), false)).toEqual([]);
    const both = { filter: { in: { repository: ["octocat/hello-world", "other/one"] } } };
    expect(await codes({ ...synced(hello), json: Buffer.from('[{"number":1}]') }, both)).toEqual(["not_synced"]);
    // The repository was renamed since it was synced.
    expect(await codes({ ...synced(), json: Buffer.from('[{"number":1}]') }, inRepository("new/name"))).toEqual([]);
    // A condition under "or" or "not" names no scope.
    expect(await codes(synced(), { filter: { or: [inRepository("other/one").filter, { eq: { state: "open" } }] } })).toEqual([]);
  });

  it("that a sync failed, and why, but not that one was cut off", async () => {
    const { warnings } = await metaOf(synced({ ...hello, problem: "platform_unauthorized" }));
    expect(warnings).toMatchObject([
      { code: "sync_failed", message: expect.stringMatching(/hello-world failed\. .*refused the token/) },
    ]);
    expect(await codes(synced({ ...hello, problem: "shutting_down" }))).toEqual([]);
    expect(await codes(synced({ ...hello, completedAt: null, problem: "platform_failed" }))).toEqual([
      "not_synced",
      "sync_failed",
    ]);
  });

  it("of so many scopes that it names the first ones, and how many others there are where the store told all", async () => {
    const failed = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...hello,
        scope: `repository=a/${index}`,
        problem: "platform_failed" as const,
      }));
    const message = async (count: number) => (await metaOf(synced(...failed(count)))).warnings?.[0]?.message;
    expect(await message(5)).toContain("of repository=a/0, repository=a/1, repository=a/2 and 2 more failed");
    expect(await message(20)).toContain("of repository=a/0, repository=a/1, repository=a/2 and others failed");
  });

  it("that what is on a schedule is older than this allows", async () => {
    const stale = (scopes: readonly string[], due: readonly string[] | null = null) => ({
      sync: { scopes: 1, reported: [{ ...hello, completedAt: old }], schedule: { scopes, minutes: 60, due }, misfits: {} },
    });
    expect((await metaOf(stale([hello.scope]))).warnings).toMatchObject([
      { code: "stale", message: expect.stringContaining(old) },
    ]);
    expect(await codes(stale(["repository=other/one"]))).toEqual([]);
    // Webhooks keep it up to date.
    expect(await codes(stale([hello.scope, "repository=other/one"], ["repository=other/one"]))).toEqual([]);
  });
});
