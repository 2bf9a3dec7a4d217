import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { AccountStore } from "../../../runtime/accounts/account-store.ts";
import { copiedTables } from "../../../runtime/accounts/copied-tables.ts";
import type { Caller } from "../../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../../runtime/accounts/postgres/postgres-account-store.ts";
import { accountsFile, openSqliteAccounts } from "../../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { openSqliteTables } from "../../../runtime/accounts/sqlite/table-access.ts";
import { asTenonError, TenonError } from "../../../runtime/base/errors.ts";
import type { WriteGuard } from "../../../runtime/execute/index.ts";
import type { ProposalsOptions } from "../../../runtime/policy/proposals.ts";
import type { Database } from "../../../runtime/postgres/index.ts";
import { agent, callerOf, codeOf, openPlace, proposed } from "../../support/approval-place.ts";
import { engines } from "../../support/postgres/engines.ts";
import type { TestDatabase } from "../../support/postgres/test-database.ts";

// Nothing is sent that a person has not approved, and what was approved is sent once. `TENON_TEST_ATTEMPTS` makes the proof longer.

const folder = mkdtempSync(join(tmpdir(), "tenon-approvals-"));
afterAll(() => rmSync(folder, { recursive: true }));
const [boss, chief, reader] = [callerOf("boss", "approve"), callerOf("chief", "approve"), callerOf("reader", "read", "write")];

const open = (rules?: readonly object[], options?: Partial<ProposalsOptions>, openStore?: (dataDir: string) => AccountStore) =>
  openPlace(folder, rules, options, openStore);

describe("a write that needs an approval", () => {
  let place: ReturnType<typeof openPlace>;
  beforeAll(() => {
    place = open();
  });
  afterAll(async () => {
    await place.close();
  });
  let issue = 0;
  const update = (title = "new", more = {}) => ({ issue_number: ++issue, title, ...more });

  it("leaves none of its values behind when its caller withdraws it", async () => {
    const { one } = place;
    const { id } = await proposed(one.write(update("x".repeat(1_000))));
    expect(await one.proposals.withdraw(id, one.decider(agent))).toBe(true);
    const { state, params, changes } = await one.proposals.get(id, one.decider(agent));
    expect({ state, params, changes }).toEqual({ state: "withdrawn", params: {}, changes: [] });
    const [entry] = await one.store.lastAudited(1);
    expect(entry).toMatchObject({ caller: "agent", action: "proposal.withdraw", outcome: "done" });
  });

  it("is not sent, and shows its exact request beside the current values, and why", async () => {
    const { one, world } = place;
    const params = update("new", { labels: ["bug"] });
    const proposal = await proposed(one.write(params, agent, { author: { ...agent, intent: "to be clear" } }));
    expect(proposal).toMatchObject({
      state: "pending",
      connector_id: "github",
      entity: "issues",
      action: "update",
      proposed_by: { id: "agent", name: "agent" },
      intent: "to be clear",
      reason: "Ask.",
      params: { owner: "o", repo: "r", ...params },
      changes: expect.arrayContaining([{ field: "title", from: "first", to: "new" }]),
      idempotency_key: proposal.id,
      outcome: null,
    });
    expect(world.sent).toEqual([]);
    expect((await proposed(place.two.write(params))).id).toBe(proposal.id);
  });

  it("is sent once when another key approves it", async () => {
    const { one, two, world } = place;
    const proposal = await proposed(one.write(update("approved")));
    expect(await codeOf(two.proposals.approve(proposal.id, proposal.hash, two.decider(agent)))).toBe("forbidden");
    expect(await codeOf(two.proposals.approve(proposal.id, proposal.hash, two.decider(reader)))).toBe("unknown_proposal");
    expect(await codeOf(two.proposals.approve(proposal.id, `${proposal.hash}x`, two.decider(boss)))).toBe("proposal_closed");
    const done = await two.proposals.approve(proposal.id, proposal.hash, two.decider(boss));
    expect(done).toMatchObject({ state: "done", decided_by: "boss", outcome: { data: { title: "approved" } } });
    expect(world.sent.filter((title) => title === "approved")).toHaveLength(1);
    expect(await codeOf(one.proposals.approve(proposal.id, proposal.hash, one.decider(chief)))).toBe("proposal_closed");
    const entries = (await one.store.lastAudited(9)).filter(
      ({ target }) => target?.startsWith(proposal.id) || target === "github",
    );
    expect(entries.map(({ caller, action, target, outcome }) => [caller, action, target, outcome])).toEqual([
      ["boss", "proposal.approve", `${proposal.id} ${proposal.hash}`, "done"],
      ["agent", "issues.update", "github", "done"],
      ["agent", "issues.update", "github", "begun"],
      ["boss", "proposal.approve", `${proposal.id} ${proposal.hash}`, "begun"],
      ["agent", "proposal.create", `${proposal.id} ${proposal.hash}`, "done"],
    ]);
  });

  it("needs a new look when what it would change has changed", async () => {
    const { one, two, world } = place;
    const params = update("over it");
    const first = await proposed(one.write(params));
    world.titles.set(params.issue_number, "meanwhile");
    const second = await proposed(two.proposals.approve(first.id, first.hash, two.decider(boss)), "target_changed");
    expect(second.changes).toEqual([{ field: "title", from: "meanwhile", to: "over it" }]);
    expect(second).toMatchObject({ state: "pending", proposed_by: { id: "agent" }, idempotency_key: first.id });
    expect((await one.proposals.get(first.id, one.decider(boss))).state).toBe("changed");
    const [, entry] = await one.store.lastAudited(2);
    expect(entry).toMatchObject({ caller: "boss", action: "proposal.approve", outcome: "target_changed" });
    expect(await codeOf(two.proposals.approve(first.id, first.hash, two.decider(boss)))).toBe("proposal_closed");
    expect(world.sent).not.toContain("over it");
    expect((await two.proposals.approve(second.id, second.hash, two.decider(boss))).state).toBe("done");
    expect(world.sent.filter((title) => title === "over it")).toHaveLength(1);
  });

  it("is refused when it sets only what the platform has, but not for a caller who may not read that", async () => {
    const { one, two, world } = place;
    const same = update("first");
    const refused = await one.write(same).then(() => undefined, asTenonError);
    expect(refused).toMatchObject({ status: 422, faults: [{ pointer: "/params", code: "empty_update" }] });
    expect(refused?.message).toContain("the platform has these values of title already");
    await proposed(one.write(same, agent, { author: { ...agent, isBlind: true } }));
    const params = update("by somebody else");
    const { id, hash } = await proposed(one.write(params));
    world.titles.set(params.issue_number, "by somebody else");
    const closed = await two.proposals.approve(id, hash, two.decider(boss)).then(() => undefined, asTenonError);
    expect([closed?.code, closed?.proposal]).toEqual(["target_changed", undefined]);
    expect((await one.proposals.get(id, one.decider(boss))).state).toBe("changed");
    expect(world.sent).not.toContain("by somebody else");
  });

  it("is not proposed again once it was rejected", async () => {
    const { one, world } = place;
    const params = update("no");
    const proposal = await proposed(one.write(params));
    expect(await codeOf(one.proposals.reject(proposal.id, one.decider(agent)))).toBe("forbidden");
    expect((await one.proposals.reject(proposal.id, one.decider(boss))).state).toBe("rejected");
    expect([await codeOf(one.write(params)), await codeOf(one.write(params, reader))]).toEqual([
      "write_rejected",
      "approval_required",
    ]);
    expect(await codeOf(one.proposals.approve(proposal.id, proposal.hash, one.decider(chief)))).toBe("proposal_closed");
    expect(world.sent).not.toContain("no");
  });

  it("is the only one that its approval is good for, and only once", async () => {
    const { one, world } = place;
    const proposal = await proposed(one.write(update("good once")));
    const codes: string[] = [];
    const who = { id: "agent", name: "agent" };
    const guard: WriteGuard = {
      admit: async (write) => {
        const { approval, requestId, author, timeout, caller } = write.context;
        const sent = { requestId: "r", author: { ...who, idempotencyKey: proposal.id }, timeout: 5_000, caller: "boss" };
        expect({ requestId, author, timeout, caller }).toEqual(sent);
        codes.push(await codeOf(one.write(update("another"), agent, { approval })));
        await one.instance.guard?.admit(write);
        codes.push(await codeOf(one.instance.guard?.admit(write) ?? Promise.resolve()));
      },
    };
    const decider = { ...one.decider(boss), find: async () => ({ ...one.instance, guard }) };
    expect((await one.proposals.approve(proposal.id, proposal.hash, decider)).state).toBe("done");
    expect(codes).toEqual(["approval_required", "approval_required"]);
    expect([world.sent.includes("another"), world.sent.filter((title) => title === "good once").length]).toEqual([false, 1]);
  });

  it("cannot be approved when what is stored of it was altered", async () => {
    const { one, world, dataDir } = place;
    const proposal = await proposed(one.write(update("shown")));
    const table = copiedTables.find(({ name }) => name === "proposal_contents");
    if (table === undefined) throw new Error("no table");
    const tables = openSqliteTables(accountsFile(dataDir));
    const rows = (await tables.read(table, undefined, 500)).filter(([id]) => id === proposal.id);
    const altered = rows.map((row) =>
      row.map((value) => (typeof value === "string" ? value.replaceAll("shown", "altered") : value)),
    );
    await tables.write(table, altered);
    await tables.close();
    expect(altered).toHaveLength(1);
    expect(await codeOf(one.proposals.approve(proposal.id, proposal.hash, one.decider(boss)))).toBe("proposal_closed");
    expect(world.sent).not.toContain("altered");
  });

  it("stays in doubt when its process ends between the approval and the sending", async () => {
    const { one, two, world } = place;
    const proposal = await proposed(one.write(update("killed")));
    const owner = (await import("node:os")).hostname();
    const claim = { state: "sending", by: "boss", at: Date.now(), owner: `${owner}:4194303:run:1` } as const;
    expect(await one.store.decideProposal(proposal.id, claim)).toBe(true);
    expect((await two.proposals.get(proposal.id, two.decider(boss))).state).toBe("in_doubt");
    const listed = async (state: "sending" | "in_doubt") =>
      (await two.proposals.list(boss, two.decider(boss).find, state)).map(({ id }) => id);
    expect(await listed("in_doubt")).toContain(proposal.id);
    expect(await listed("sending")).not.toContain(proposal.id);
    expect(await codeOf(two.proposals.approve(proposal.id, proposal.hash, two.decider(boss)))).toBe("proposal_closed");
    expect(world.sent).not.toContain("killed");
  });

  it("is refused when the policy has come to reject it, and can be approved again when the platform did nothing", async () => {
    const { one, two, world, policy } = place;
    const proposal = await proposed(one.write(update("late")));
    writeFileSync(policy, '{"rules": [{"effect": "reject" }]}');
    expect(await codeOf(one.proposals.approve(proposal.id, proposal.hash, one.decider(boss)))).toBe("write_rejected");
    writeFileSync(policy, '{"rules": [{"effect": "rejected" }]}');
    expect(world.sent).not.toContain("late");
    expect((await one.proposals.get(proposal.id, one.decider(boss))).state).toBe("failed");
    writeFileSync(policy, '{"rules": [{"effect": "require_approval"}]}');
    const other = await proposed(two.write(update("limited")));
    const limited = { ...one.instance, guard: { admit: () => Promise.reject(new TenonError("rate_limited", "later")) } };
    const decider = { ...one.decider(boss), find: async () => limited };
    expect(await codeOf(one.proposals.approve(other.id, other.hash, decider))).toBe("rate_limited");
    expect((await one.proposals.approve(other.id, other.hash, one.decider(boss))).state).toBe("done");
    expect(world.sent.filter((title) => title === "limited")).toHaveLength(1);
  });

  it("is parsed in a thread where it is large", async () => {
    const { one, two, world } = place;
    // The request has it, and so do the changes.
    const body = "x".repeat(60_000);
    const proposal = await proposed(one.write(update("large", { body })));
    const parse = vi.spyOn(JSON, "parse");
    const { params } = await two.proposals.get(proposal.id, two.decider(boss));
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(params["body"]).toBe(body);
    expect(longest).toBeLessThan(100_000);
    await two.proposals.approve(proposal.id, proposal.hash, two.decider(boss));
    expect(world.sent).toContain("large");
  });

  it("is bounded for a caller, listed for those who may see it, and expires", async () => {
    const short = open(undefined, { lifetime: 300 });
    const { one } = short;
    const many = await Promise.all(Array.from({ length: 22 }, (_, index) => codeOf(one.write(update(`many ${index}`)))));
    expect(many.filter((code) => code === "too_many_proposals")).toHaveLength(2);
    const find = one.decider(boss).find;
    const counts = await Promise.all(
      [agent, boss, reader].map(async (caller) => (await one.proposals.list(caller, find)).length),
    );
    expect(counts).toEqual([20, 20, 0]);
    const [first] = await one.proposals.list(boss, find);
    const hidden = { ...one.decider(boss), find: () => Promise.reject(new TenonError("unknown_connector", "none")) };
    expect(await one.proposals.list(boss, hidden.find)).toEqual([]);
    expect(await codeOf(one.proposals.get(first?.id ?? "", hidden))).toBe("unknown_proposal");
    while ((await one.proposals.list(boss, find, "pending")).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await codeOf(one.proposals.approve(first?.id ?? "", first?.hash ?? "", one.decider(boss)))).toBe("proposal_closed");
    expect(short.world.sent).toEqual([]);
    await short.close();
  });
});

/** Numbers from 0 to below 1 that follow from a seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe.each(["SQLite", "PostgreSQL"] as const)("the proof on %s", (engine) => {
  // The PostgreSQL of every machine is slow.
  const attempts = Number(process.env["TENON_TEST_ATTEMPTS"] ?? (engine === "SQLite" ? 300 : 60));
  let database: TestDatabase | undefined;
  const databases: Database[] = [];
  beforeAll(async () => {
    if (engine === "PostgreSQL") database = await engines[attempts > 1_000 ? engines.length - 1 : 0]?.start();
  });
  afterAll(async () => {
    await Promise.all(databases.map((one) => one.close()));
    await database?.close();
  });
  const openStore = (dataDir: string) => {
    if (database === undefined) return openSqliteAccounts(dataDir);
    const own = database.open();
    databases.push(own);
    return openPostgresAccounts(own);
  };

  it(`sends nothing without an approval, and what was approved once, in ${attempts} attempts`, {
    timeout: 3_600_000,
  }, async () => {
    const { world, one, two, close } = open(undefined, undefined, openStore);
    const random = randomOf(7);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    /** Titles that somebody has approved, with the proposals. */
    const approved = new Map<string, string>();
    const refused = new Map<string, number>();
    const other = await proposed(one.write({ issue_number: 999_999, title: "never" }));
    for (let number = 1; number <= attempts; number++) {
      const [here, there] = random() < 0.5 ? [one, two] : [two, one];
      const title = `title ${number}`;
      const write = (more = {}) =>
        here.write({ issue_number: number, title }, callerOf(`agent ${number % 400}`, "write", "approve"), more);
      const kind = pick([
        "forged object",
        "forged id",
        "foreign hash",
        "self",
        "no right",
        "changed",
        "race",
        "killed",
        "rejected",
        "lost",
        "plain",
      ]);
      const { id, hash, proposed_by } = await proposed(write());
      const approve = (caller: Caller, given = hash, process = there) =>
        codeOf(process.proposals.approve(id, given, process.decider(caller)));
      const self = callerOf(proposed_by.id, "write", "approve");
      switch (kind) {
        case "forged object":
          expect(await codeOf(write({ approval: {} }))).toBe("approval_required");
          break;
        case "forged id":
          expect(await codeOf(there.proposals.approve(`prop_${number}`, hash, there.decider(boss)))).toBe("unknown_proposal");
          break;
        case "foreign hash":
          expect(await approve(boss, other.hash)).toBe("proposal_closed");
          break;
        case "self":
          expect(await approve(self)).toBe("forbidden");
          break;
        case "no right":
          expect(await approve(reader)).toBe("unknown_proposal");
          break;
        case "changed":
          world.titles.set(number, "meanwhile");
          expect(await approve(boss)).toBe("target_changed");
          break;
        case "race": {
          const codes = await Promise.all([
            approve(boss),
            approve(chief, hash, here),
            approve(self),
            write({ approval: {} }).catch(asTenonError),
          ]);
          expect(codes.slice(0, 2).sort()).toEqual(["ok", "proposal_closed"]);
          approved.set(title, id);
          break;
        }
        case "killed": {
          const claim = {
            state: "sending",
            by: "boss",
            at: Date.now(),
            owner: `${(await import("node:os")).hostname()}:4194303:r:1`,
          } as const;
          expect(await here.store.decideProposal(id, claim)).toBe(true);
          expect(await approve(chief)).toBe("proposal_closed");
          break;
        }
        case "rejected":
          await here.proposals.reject(id, here.decider(boss));
          expect([await approve(chief), await codeOf(write())]).toEqual(["proposal_closed", "write_rejected"]);
          break;
        case "lost":
          world.fails = true;
          expect(await approve(boss)).toBe("write_in_doubt");
          world.fails = false;
          expect(await approve(chief)).toBe("proposal_closed");
          approved.set(title, id);
          break;
        case "plain":
          expect([await approve(boss), await approve(chief)]).toEqual(["ok", "proposal_closed"]);
          approved.set(title, id);
      }
      refused.set(kind, (refused.get(kind) ?? 0) + 1);
    }
    expect(refused.size).toBe(11);
    expect([...world.sent].sort()).toEqual([...approved.keys()].sort());
    for (const id of approved.values())
      expect(["done", "in_doubt"]).toContain((await one.proposals.get(id, one.decider(boss))).state);
    await close();
  });

  it("stops none of 500 honest tasks under a policy that names some fields", async () => {
    const someFields = [{ entity: "issues", action: "update", fields: ["title", "state"], effect: "require_approval" }];
    const { world, one, close } = open(someFields, undefined, openStore);
    const random = randomOf(11);
    for (let number = 1; number <= 500; number++) {
      const which = random();
      if (which < 0.4) await one.write({ issue_number: number, labels: ["bug"], ...(which < 0.2 ? { body: "a" } : {}) });
      else if (which < 0.7) await one.write({ title: "a new one", labels: ["bug"] }, agent, {}, ["issues", "create"]);
      else await one.write({ issue_number: number, body: "a" }, agent, {}, ["comments", "create"]);
    }
    expect(world.sent).toHaveLength(500);
    expect(await codeOf(one.write({ issue_number: 1, labels: ["bug"], state: "closed" }))).toBe("approval_required");
    await close();
  });
});
