import { expect, it } from "vitest";
import { type Caller, fullGrant } from "../../../runtime/accounts/index.ts";
import { Answers } from "../../../runtime/server/answers.ts";
import { startSyncRoute } from "../../../runtime/server/routes/sync-control-route.ts";
import { syncRoute } from "../../../runtime/server/routes/sync-route.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

const { instance } = fakeInstance(() => ({}));

/** Indexes for search by meaning of two entities, and a schedule with two kinds of scopes. */
const index = { field: "body", model: "m", passages: 7, waiting: 0, ready: true, secondsLeft: null, problem: null };
const scopes = ["repository=octocat/hello-world", "organization=acme"];
const synced = {
  ...instance,
  store: {
    states: async () => [],
    leased: async () => false,
    schedule: async () => ({ scopes, minutes: 60, startedAt: null }),
  },
  semantic: { store: { semanticStates: async () => ["issues", "discussions"].map((entity) => ({ entity, ...index })) } },
};

async function metaFor(entities: readonly string[] | null) {
  const answers = new Answers(1);
  const sent: { meta: { semantic: { entity: string }[]; schedule: { scopes: string[] } } }[] = [];
  answers.sendJson = (_response, value) => void sent.push(value as (typeof sent)[number]);
  const caller: Caller = { id: "k", name: "k", grant: { ...fullGrant, entities } };
  const route = syncRoute({ instances: new Map([["github", synced as never]]) }, answers, 1_000);
  await route({ params: { connectorId: "github" }, headers: {} } as never, { locals: { caller } } as never, () => undefined);
  return sent[0]?.meta;
}

it("the report of a sync has indexes and scopes only of the entities that the caller may use", async () => {
  expect(await metaFor(["issues"])).toMatchObject({
    semantic: [{ entity: "issues" }],
    schedule: { scopes: ["repository=octocat/hello-world"] },
  });
  expect(await metaFor(["organizations"])).toMatchObject({ semantic: [], schedule: { scopes: ["organization=acme"] } });
  expect(await metaFor(null)).toMatchObject({
    semantic: [{ entity: "issues" }, { entity: "discussions" }],
    schedule: { scopes },
  });
});

it("a sync without scopes reads those of the schedule of which the caller may know, and names no others", async () => {
  const startedFor = async (entities: readonly string[] | null, body?: object) => {
    const answers = new Answers(1);
    const sent: { data: { scopes: string[] } }[] = [];
    answers.sendJson = (_response, value) => void sent.push(value as (typeof sent)[number]);
    const started: { scopes: readonly { name: string }[] }[] = [];
    const syncs = { start: async (_instance: unknown, options: (typeof started)[number]) => void started.push(options) };
    const control = { instances: { instances: new Map([["github", synced]]) }, syncs, syncScopes: async () => scopes };
    const caller: Caller = { id: "k", name: "k", grant: { ...fullGrant, entities } };
    const route = startSyncRoute(control as never, answers);
    const request = { params: { connectorId: "github" }, headers: {}, body };
    await route(request as never, { locals: { caller } } as never, () => undefined);
    expect(started[0]?.scopes.map(({ name }) => name)).toEqual(sent[0]?.data.scopes);
    return sent[0]?.data.scopes;
  };
  expect(await startedFor(["issues"])).toEqual(["account", "repository=octocat/hello-world"]);
  expect(await startedFor(["organizations"])).toEqual(["account", "organization=acme"]);
  expect(await startedFor(null)).toEqual(["account", ...scopes]);
  // Without an entity to read, it would be complete at once.
  await expect(startedFor(["issues"], { scopes: ["organization=acme"] })).rejects.toMatchObject({
    code: "forbidden",
    message: "This token allows none of the entities that these scopes fill.",
  });
});
