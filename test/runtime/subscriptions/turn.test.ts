import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type AccountStore,
  deriveKeys,
  fullGrant,
  type Grant,
  type StoredSubscription,
} from "../../../runtime/accounts/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import type { ConnectorInstance } from "../../../runtime/execute/index.ts";
import type { ChangePage } from "../../../runtime/store/change-log.ts";
import { newSecret, sealSigning } from "../../../runtime/subscriptions/signature.ts";
import { takeTurn } from "../../../runtime/subscriptions/turn.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { shaped, standIn } from "../../support/shaped.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const keys = deriveKeys(["secret-key-of-the-tests-of-turns"]);
const url = "https://receiver.example/";

/** A subscription behind the first three changes of the log `l`. */
const subscription = (more: Partial<StoredSubscription> = {}) =>
  standIn<StoredSubscription>({
    ...{ id: "s1", caller: "c", instance: "github", state: "active", reason: null, log: "l", position: 3 },
    ...{
      content: JSON.stringify({ url, entity: ["issues"] }),
      failures: 0,
      failingSince: null,
      replayFrom: null,
      replayTo: null,
    },
    ...{ secrets: sealSigning(keys, "s1", [{ secret: newSecret(), until: null }]), lastAt: null, lastOutcome: null },
    ...more,
  });

/** An instance whose log has so many changes, each of another issue unless `key` says which. */
function logged(count: number, key = (sequence: number) => `i${sequence}`): ConnectorInstance {
  const changes = async (_of: object, { from, limit }: { from: number; limit: number }): Promise<ChangePage> => {
    const all = Array.from({ length: count }, (_, sequence) => sequence).filter((sequence) => sequence >= from);
    const some = all.slice(0, limit).map((sequence) => ({
      ...{ sequence, entity: "issues", key: key(sequence), scope: "a=b", kind: "created" as const, fields: [], at: 0 },
    }));
    return { log: "l", first: 0, next: count, changes: some, position: Math.min(count, from + limit) };
  };
  const { instance } = fakeInstance(() => ({}));
  return { ...instance, store: shaped<NonNullable<ConnectorInstance["store"]>>({ changes }) };
}

interface Given {
  readonly find?: (id: string, grant: Grant) => Promise<ConnectorInstance>;
  readonly grant?: () => Partial<Grant> | undefined;
  /** The status of the response to a delivery. */
  readonly status?: (nth: number) => number;
}

/** @returns how the turn ended, and the bodies and headers that were sent */
async function turn(stored: StoredSubscription, { find = async () => logged(3), grant = () => ({}), status = () => 200 }: Given) {
  const sent: { readonly body: Record<string, unknown>; readonly headers: Headers }[] = [];
  const caller = async (id: string) => {
    const own = grant();
    return own === undefined ? undefined : { id, grant: { ...fullGrant, ...own }, revokedAt: null, expiresAt: null };
  };
  const send: typeof globalThis.fetch = async (_url, init) => {
    sent.push({ body: JSON.parse(String(init?.body)), headers: new Headers(init?.headers) });
    return new Response("", { status: status(sent.length) });
  };
  const store = shaped<AccountStore>({ caller });
  const signal = new AbortController().signal;
  return { ...(await takeTurn({ store, keys, find, send, count: () => undefined, signal }, stored)), sent };
}
/** The sequence numbers of what was sent. */
const sequences = (sent: readonly { readonly body: Record<string, unknown> }[]) =>
  sent.map(({ body }) => (body["data"] as { sequence: number }).sequence).sort((a, b) => a - b);

describe("a subscription whose owner may not read what it sends", () => {
  const failing = (code: "unknown_connector" | "accounts_unusable") => () => Promise.reject(new TenonError(code, "No."));
  it.each<[what: string, given: Given, end: object]>([
    ["the right to read is gone", { grant: () => ({ rights: ["write"] }) }, { state: "paused", reason: "owner_forbidden" }],
    ["an entity is not allowed", { grant: () => ({ entities: ["labels"] }) }, { state: "paused", reason: "owner_forbidden" }],
    ["the connector is gone", { find: failing("unknown_connector") }, { state: "paused", reason: "unknown_connector" }],
    ["the connector cannot be used now", { find: failing("accounts_unusable") }, { state: "active", reason: null, wait: 5_000 }],
  ])("sends nothing, and says why: %s", async (_what, given, end) => {
    const { sent, hasMore, ...ended } = await turn(subscription({ position: 0 }), given);
    expect(ended.end).toMatchObject({ position: 0, ...end });
    expect([sent, hasMore]).toEqual([[], false]);
  });

  it("ends between two deliveries, and says where it goes on", async () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const { end, hasMore, sent } = await turn(subscription({ position: 0 }), {
      find: async () => logged(3, () => "the same"),
      grant: () => (now > 0 ? undefined : {}),
      status: () => {
        now += 1_001;
        return 200;
      },
    });
    expect(sequences(sent)).toEqual([0]);
    expect(end).toMatchObject({ state: "paused", reason: "owner_revoked", position: 1, failures: 0, lastOutcome: "200" });
    expect(hasMore).toBe(true);
  });
});

describe("a redelivery", () => {
  it("of more changes than one turn sends goes on with the next, and leaves the position", async () => {
    const given = { find: async () => logged(120) };
    const stored = subscription({ position: 120, replayFrom: 10, replayTo: 110 });
    const first = await turn(stored, given);
    expect(first.end).toMatchObject({ position: 120, replayFrom: 60, replayTo: 110 });
    expect([first.hasMore, sequences(first.sent).at(0), sequences(first.sent).at(-1)]).toEqual([true, 10, 59]);
    const second = await turn({ ...stored, replayFrom: 60 }, given);
    expect(second.end).toMatchObject({ position: 120, replayFrom: null, replayTo: null });
    expect([second.hasMore, sequences(second.sent).at(0), sequences(second.sent).at(-1)]).toEqual([true, 60, 109]);
  });

  it("is not over while its last change is not taken", async () => {
    const { end, hasMore } = await turn(subscription({ replayFrom: 1, replayTo: 3 }), {
      find: async () => logged(3, () => "the same"),
      status: (nth) => (nth === 2 ? 500 : 200),
    });
    expect(end).toMatchObject({ position: 3, replayFrom: 2, replayTo: 3, failures: 1, lastOutcome: "500" });
    expect(hasMore).toBe(false);
  });

  it.each([
    [
      undefined,
      { type: "changes.truncated", timestamp: expect.any(String), data: { subscription_id: "s1", cursor: expect.any(String) } },
    ],
    ["github.issues.changed", { type: "gap", cursor: expect.any(String) }],
  ])("of a log that is there no longer says so, and is over (event %s)", async (event, body) => {
    const content = JSON.stringify({ url, entity: ["issues"], ...(event === undefined ? {} : { event }) });
    const { end, sent } = await turn(subscription({ content, log: "former", position: 90, replayFrom: 50, replayTo: 90 }), {});
    expect(sent.map((one) => one.body)).toEqual([body]);
    expect(sent[0]?.headers.get("x-mcp-subscription-id")).toBe(event === undefined ? null : "s1");
    expect(end).toMatchObject({ replayFrom: null, replayTo: null });
  });
});
