import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import {
  type Caller,
  fullGrant,
  type Grant,
  type ListedProposal,
  newOwner,
  type StoredCaller,
} from "../../../runtime/accounts/index.ts";
import { asTenonError, TenonError } from "../../../runtime/base/errors.ts";
import type { Proposal } from "../../../runtime/contract/index.ts";
import type { WriteGuard } from "../../../runtime/execute/index.ts";
import type { Decider } from "../../../runtime/policy/index.ts";
import { contentOf, proposalOf } from "../../../runtime/policy/proposal.ts";
import { agent, callerOf, codeOf, openPlace, proposed } from "../../support/approval-place.ts";
import { longestParsed } from "../../support/parsed-here.ts";
import { standIn } from "../../support/shaped.ts";

// What proposals say and to whom, who may still write what was approved, and what remains of an approval that failed.

const folder = mkdtempSync(join(tmpdir(), "tenon-approving-"));
const [boss, blind] = [callerOf("boss", "approve"), callerOf("blind", "write")];
const limited = (caller: Caller, entities: readonly string[]): Caller => ({ ...caller, grant: { ...caller.grant, entities } });
const notify = vi.fn<(proposal: Proposal) => void>();
let place: ReturnType<typeof openPlace>;
let issue = 0;
const update = (title = "new") => ({ issue_number: ++issue, title });

beforeAll(() => {
  place = openPlace(folder, undefined, { notify });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(async () => {
  await place.close();
  rmSync(folder, { recursive: true });
});

it("a proposal says who asked for what, and nothing where nothing is known", async () => {
  const { one } = place;
  const { id, hash, ...proposal } = await proposed(one.write(update(), agent, { author: undefined }));
  const { createdAt = 0, expiresAt = 0 } = (await one.store.proposal(id)) ?? {};
  const unknown = { id: "unknown", name: "unknown" };
  expect(proposal).toMatchObject({ proposed_by: unknown, intent: null, decided_by: null, decided_at: null });
  expect(proposal).toMatchObject({
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
  });
  expect(`${id} ${hash}`).toMatch(/^prop_[A-Za-z\d]{12} [\w-]{22}$/);
  const { decided_at } = await one.proposals.approve(id, hash, one.decider(boss));
  expect(decided_at).toBe(new Date((await one.store.proposal(id))?.decidedAt ?? 0).toISOString());
});

it.each([
  ["with its reason", undefined, " Nothing was sent. Ask."],
  ["without one", [{ effect: "require_approval" }], " Nothing was sent."],
])("the error says what waits, %s", async (_what, rules, end) => {
  const own = openPlace(folder, rules);
  const error = await own.one.write(update()).then(() => undefined, asTenonError);
  const proposal = error?.proposal as Proposal | undefined;
  const wait = `proposal ${proposal?.id} waits until ${proposal?.expires_at}`;
  expect(error?.message).toBe(`A person has to approve this issues.update: ${wait}.${end}`);
  expect(proposal?.reason).toBe(rules === undefined ? "Ask." : null);
  await own.close();
});

it("a proposal is announced once and kept for 30 days after its end", async () => {
  const { one } = place;
  const add = vi.spyOn(one.store, "addProposal");
  notify.mockClear();
  const params = update();
  const { id, hash } = await proposed(one.write(params));
  await proposed(one.write(params));
  expect(notify.mock.calls.map(([proposal]) => [proposal.id, proposal.state, proposal.hash])).toEqual([[id, "pending", hash]]);
  const [[stored, , oldest] = []] = add.mock.calls;
  expect((stored?.createdAt ?? 0) - (oldest ?? 0)).toBe(2_592_000_000);
  const entry = (await one.store.lastAudited(20)).find(({ target }) => target === `${id} ${hash}`);
  expect(entry).toMatchObject({ caller: "agent", action: "proposal.create", outcome: "done", times: 1 });
});

it("a list has what a caller has proposed itself, and what others have of entities that it may use", async () => {
  const own = openPlace(folder);
  const { one } = own;
  const { id } = await proposed(one.write(update()));
  const seen = async (caller: Caller) => (await one.proposals.list(caller, one.decider(caller).find)).map((found) => found.id);
  expect(await seen(boss)).toEqual([id]);
  expect(await seen(limited(boss, ["comments"]))).toEqual([]);
  expect(await seen(limited(boss, ["issues"]))).toEqual([id]);
  expect(await seen(limited(agent, ["comments"]))).toEqual([id]);
  await own.close();
});

it("a list of 100 is taken from the latest 1,000, and finds each connector once", async () => {
  const { one } = place;
  const stored = await one.store.proposal((await proposed(one.write(update()))).id);
  const some = Array.from({ length: 20 }, () => standIn<ListedProposal>({ ...stored }));
  const read = vi.spyOn(one.store, "proposals").mockResolvedValue(some);
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const listed = async (find: Decider["find"]) => {
    read.mockClear();
    const list = one.proposals.list(boss, find);
    await vi.advanceTimersByTimeAsync(2_000);
    return [(await list).length, read.mock.calls.length];
  };
  const find = vi.fn(one.decider(boss).find);
  expect(await listed(find)).toEqual([100, 5]);
  const unknown = vi.fn(() => Promise.reject(new TenonError("unknown_connector", "none")));
  expect(await listed(unknown)).toEqual([0, 50]);
  expect([find.mock.calls, unknown.mock.calls]).toEqual([[["github"]], [["github"]]]);
});

it("a proposal has expired at the end of its time", async () => {
  const { one } = place;
  const stored = await one.store.proposal((await proposed(one.write(update()))).id);
  if (stored === undefined) throw new Error("no proposal");
  const stateAt = (now: number) => proposalOf(stored, 1, now).state;
  expect([stateAt(stored.expiresAt - 1), stateAt(stored.expiresAt)]).toEqual(["pending", "expired"]);
  // Its process is here, but no write takes so long.
  const sending = (ago: number) => ({ ...stored, state: "sending", owner: newOwner(), decidedAt: Date.now() - ago }) as const;
  expect([proposalOf(sending(0), 1).state, proposalOf(sending(600_000), 1).state]).toEqual(["sending", "in_doubt"]);
});

it("an approval is good for nothing when its sending has ended", async () => {
  const { one, world } = place;
  const params = update("too late");
  const { id, hash } = await proposed(one.write(params));
  let approval: object | undefined;
  const guard: WriteGuard = {
    admit: async ({ context }) => {
      approval = context.approval;
      throw new TenonError("rate_limited", "later");
    },
  };
  const decider = { ...one.decider(boss), find: async () => ({ ...one.instance, guard }) };
  expect(await codeOf(one.proposals.approve(id, hash, decider))).toBe("rate_limited");
  expect(approval).toEqual({});
  expect(await codeOf(one.write(params, agent, { approval }))).toBe("approval_required");
  expect(world.sent).not.toContain("too late");
  await one.proposals.reject(id, one.decider(boss));
  const [entry] = await one.store.lastAudited(1);
  expect(entry).toMatchObject({ caller: "boss", action: "proposal.reject", outcome: "done" });
  const error = await one.proposals.approve(id, hash, one.decider(boss)).then(() => undefined, asTenonError);
  expect(error?.message).toBe("The proposal is rejected already.");
});

it("only a caller who proposed a write and may not read sees no present values, and a head has no values", async () => {
  const { one } = place;
  const { id } = await proposed(one.write(update(), blind));
  const { id: other } = await proposed(one.write(update()));
  const changesFor = async (caller: Caller, of: string) => (await one.proposals.get(of, one.decider(caller))).changes;
  const [shown, hidden] = [[{ field: "title", from: "first", to: "new" }], [{ field: "title", to: "new" }]];
  expect(await changesFor(blind, id)).toEqual(hidden);
  expect(await changesFor(boss, id)).toEqual(shown);
  expect(await changesFor(agent, other)).toEqual(shown);
  const { params: _params, changes: _changes, outcome: _none, ...proposal } = await one.proposals.get(other, one.decider(agent));
  expect(await one.proposals.head(other, one.decider(agent))).toEqual({ proposal, outcome: null });
  const { outcome } = await one.proposals.approve(other, proposal.hash, one.decider(boss));
  const done = await one.proposals.head(other, one.decider(agent));
  expect([done.proposal.state, JSON.parse(done.outcome ?? "")]).toEqual(["done", outcome]);
});

it("nothing is sent for a key that was revoked, has expired or may no longer write this", async () => {
  const { one, world } = place;
  const { id, hash } = await proposed(one.write(update("for a key")));
  const now = Date.now();
  vi.spyOn(Date, "now").mockReturnValue(now);
  const key = (grant: Partial<Grant> = {}, more: Partial<StoredCaller> = {}) =>
    standIn<StoredCaller>({ revokedAt: null, expiresAt: null, grant: { ...fullGrant, ...grant }, ...more });
  const refused = [
    key({}, { revokedAt: now }),
    key({}, { revokedAt: now, expiresAt: now + 1 }),
    key({}, { expiresAt: now - 1 }),
    key({}, { expiresAt: now }),
    key({ rights: ["read", "approve"] }),
    key({ entities: ["comments"] }),
    key({ instances: ["other"] }),
    key({ rights: ["read"], instances: ["github"] }),
    key({ entities: ["comments"], instances: ["github"] }),
  ];
  const stored = vi.spyOn(one.store, "caller");
  const approve = (of = { id, hash }) => one.proposals.approve(of.id, of.hash, one.decider(boss));
  for (const caller of refused) {
    stored.mockResolvedValue(caller);
    const error = await approve().then(() => undefined, asTenonError);
    expect([error?.code, error?.message]).toEqual([
      "proposal_closed",
      "The key or client that proposed this write may not write it any longer.",
    ]);
  }
  expect(world.sent).not.toContain("for a key");
  for (const caller of [key(), key({ entities: ["issues"], instances: ["github"] }, { expiresAt: now + 1 })]) {
    stored.mockResolvedValue(caller);
    expect((await approve(await proposed(one.write(update("for a key"))))).state).toBe("done");
  }
});

it("what is sent after an approval is held to the rules about the key that proposed it", async () => {
  const { one, world, policy, close } = openPlace(folder);
  const { id, hash } = await proposed(one.write(update("of the agent")));
  writeFileSync(policy, JSON.stringify({ rules: [{ key: "agent", effect: "reject", reason: "Not you." }] }));
  const error = await one.proposals.approve(id, hash, one.decider(boss)).then(() => undefined, asTenonError);
  expect(error?.message).toBe("The policy does not allow this issues.update. Nothing was sent. Not you.");
  const { state, outcome } = await one.proposals.get(id, one.decider(boss));
  expect([state, outcome]).toEqual(["failed", { code: "write_rejected", message: error?.message }]);
  expect(await codeOf(one.write(update("of nobody"), agent, { author: undefined }))).toBe("ok");
  expect(world.sent).toEqual(["of nobody"]);
  const parts = [
    { key: "*" },
    { connector: "github" },
    { entity: "issues" },
    { action: "update" },
    { params: { title: "of *" } },
  ];
  for (const part of parts) {
    writeFileSync(policy, JSON.stringify({ rules: [{ ...part, effect: "reject" }] }));
    expect(await codeOf(one.write(update("of nobody"), agent, { author: undefined }))).toBe("write_rejected");
  }
  await close();
});

it("a write in doubt after an approval leaves its error with the proposal and in the audit log", async () => {
  const { one, world } = place;
  const { id, hash } = await proposed(one.write(update("lost"), agent, { author: { ...agent, intent: "to lose it" } }));
  world.fails = true;
  const error = await one.proposals.approve(id, hash, one.decider(boss)).then(() => undefined, asTenonError);
  world.fails = false;
  expect(error?.code).toBe("write_in_doubt");
  const { state, outcome } = await one.proposals.get(id, one.decider(boss));
  expect([state, outcome]).toEqual(["in_doubt", { code: "write_in_doubt", message: error?.message }]);
  const entry = (caller: string, action: string, outcome: string, more: object) => ({
    ...{ caller, action, outcome, requestId: "r", intent: null, times: 1, ...more },
  });
  const write = { target: "github", intent: "to lose it", fields: ["title"] };
  const approval = { target: `${id} ${hash}` };
  const entries = await one.store.lastAudited(4);
  expect(entries.map(({ number: _number, at: _at, ...rest }) => rest)).toEqual([
    entry("boss", "proposal.approve", "write_in_doubt", approval),
    entry("agent", "issues.update", "write_in_doubt", write),
    entry("agent", "issues.update", "begun", write),
    entry("boss", "proposal.approve", "begun", approval),
  ]);
});

it("an approval waits for an earlier request of the same key only as long as a write may take", async () => {
  const { one, world } = place;
  const { id, hash } = await proposed(one.write(update("running")));
  const earlier = { owner: newOwner(), begunAt: Date.now(), answer: null };
  const begin = vi.spyOn(one.store, "beginWrite");
  begin.mockImplementation(async (write) => ({ ...write, ...earlier, state: "begun" }));
  const clock = performance.now.bind(performance);
  let passed = 0;
  vi.spyOn(performance, "now").mockImplementation(() => clock() + passed);
  const look = vi.spyOn(one.store, "write");
  look.mockImplementation(async (write) => {
    passed = 60_000;
    // Whoever waits longer finds that it is in doubt.
    const state = look.mock.calls.length > 1 ? "in_doubt" : "begun";
    return { ...write, ...earlier, request: "", state };
  });
  expect(await codeOf(one.proposals.approve(id, hash, one.decider(boss)))).toBe("idempotency_running");
  expect([look.mock.calls.length, world.sent.includes("running")]).toEqual([1, false]);
});

it("what is stored of a proposal is parsed here up to 32 KiB, and otherwise in a thread", async () => {
  const { one } = place;
  const stored = await one.store.proposal((await proposed(one.write(update()))).id);
  if (stored === undefined) throw new Error("no proposal");
  const withLength = (length: number) => ({ ...stored, content: '{"params":{},"changes":[]}'.padEnd(length) });
  const params: object[] = [];
  const parsedOf = (length: number) => longestParsed(async () => void params.push((await contentOf(withLength(length))).params));
  expect(await parsedOf(32_768)).toBe(32_768);
  expect(await parsedOf(32_769)).toBeLessThan(1_000);
  expect(params).toEqual([{}, {}]);
});
