import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AccountStore, deriveKeys, fullGrant } from "../../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../../runtime/accounts/sqlite/sqlite-account-store.ts";
import type { ConnectorInstance } from "../../../runtime/execute/index.ts";
import type { ChangePage } from "../../../runtime/store/change-log.ts";
import { contentOf } from "../../../runtime/subscriptions/content.ts";
import { type Manager, Subscriptions } from "../../../runtime/subscriptions/index.ts";
import { newSecret } from "../../../runtime/subscriptions/signature.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { shaped } from "../../support/shaped.ts";

const folder = mkdtempSync(join(tmpdir(), "tenon-subscriptions-"));
let accounts: AccountStore;
beforeAll(() => {
  accounts = openSqliteAccounts(folder);
});
afterAll(async () => {
  await accounts.close();
  rmSync(folder, { recursive: true });
});

const keys = deriveKeys(["secret-key-of-the-tests-of-subscriptions"]);
/** An instance whose log has seven changes. */
const changes = async (): Promise<ChangePage> => ({ log: "l", first: 0, next: 7, changes: [], position: 7 });
const instance = {
  ...fakeInstance(() => ({})).instance,
  store: shaped<NonNullable<ConnectorInstance["store"]>>({ changes }),
};
const manager = (id: string): Manager => ({ caller: { id, name: id, grant: fullGrant }, find: async () => instance });

/** @returns what manages subscriptions, and the addresses that were asked whether they want deliveries */
function subscriptions() {
  const challenged: string[] = [];
  const send: typeof globalThis.fetch = async (url, init) => {
    challenged.push(String(url));
    return new Response(String(init?.body));
  };
  return { made: new Subscriptions({ store: accounts, keys, allowPrivate: false, send }), challenged };
}

const url = "https://receiver.example/";
const issues = { connectorId: "github", event: "github.issues.changed", entity: "issues", args: {}, url };
const labels = { ...issues, event: "github.labels.changed", entity: "labels" };
const more = () => ({ secret: newSecret(), cursor: undefined, ttlMs: undefined });

describe("a subscription of a client of MCP", () => {
  it("asks an address for its consent once, whatever events are sent there", async () => {
    const { made, challenged } = subscriptions();
    // What a caller subscribes to itself says nothing about events.
    await made.create({ connector_id: "github", url }, manager("a"));
    for (const wanted of [issues, labels])
      expect(await made.subscribeEvent(wanted, more(), manager("a"))).toMatchObject({ kind: "granted" });
    expect(challenged).toEqual([url]);
    const other = `${url}other`;
    await made.subscribeEvent({ ...issues, url: other }, more(), manager("a"));
    await made.subscribeEvent(issues, more(), manager("b"));
    expect(challenged).toEqual([url, other, url]);
  });

  it("sends its event in the form of MCP also after it was changed", async () => {
    const { made } = subscriptions();
    const granted = await made.subscribeEvent(issues, more(), manager("c"));
    if (granted.kind !== "granted") throw new Error(granted.reason);
    const { id } = granted.subscription;
    const changed = await made.update(id, { fields: ["title"], state: "paused" }, manager("c"));
    expect(changed).toMatchObject({ entity: ["issues"], fields: ["title"], state: "paused", reason: "by_owner" });
    const stored = await accounts.subscription(id);
    expect(stored === undefined ? undefined : contentOf(stored)).toEqual({
      url,
      entity: ["issues"],
      fields: ["title"],
      event: issues.event,
    });
  });
});

describe("where a subscription begins", () => {
  it.each([
    ["behind the last change, unless it says otherwise", {}, 7],
    ["with the first change, where its cursor is null", { cursor: null }, 0],
  ])("is %s", async (_where, given, position) => {
    const { made } = subscriptions();
    expect(await made.create({ connector_id: "github", url, ...given }, manager("d"))).toMatchObject({ position });
  });
});

describe("a redelivery", () => {
  it("cannot end before it begins", async () => {
    const { made } = subscriptions();
    const { id } = await made.create({ connector_id: "github", url }, manager("e"));
    await expect(made.redeliver(id, { from: 4, to: 3 }, manager("e"))).rejects.toMatchObject({
      code: "invalid_request",
      faults: [{ pointer: "/to", code: "out_of_range", message: "to must not be before from." }],
    });
    expect(await made.redeliver(id, { from: 3, to: 3 }, manager("e"))).toMatchObject({ redelivery: { from: 3, to: 4 } });
    expect(await made.redeliver(id, { from: 3 }, manager("e"))).toMatchObject({ redelivery: { from: 3, to: 7 } });
    expect(await made.redeliver(id, { from: 3, to: 20 }, manager("e"))).toMatchObject({ redelivery: { from: 3, to: 7 } });
  });
});

describe("a redelivery of what was not delivered yet", () => {
  const refusal = (message: string) => ({
    code: "invalid_request",
    faults: [{ pointer: "/from", code: "out_of_range", message }],
  });

  it.each([7, 999_999])("is refused from %i on, and says what is allowed", async (from) => {
    const { made } = subscriptions();
    const { id } = await made.create({ connector_id: "github", url }, manager("g"));
    const message = "from must be before 7, the first change that is not delivered yet.";
    await expect(made.redeliver(id, { from }, manager("g"))).rejects.toMatchObject(refusal(message));
  });

  it("is refused where nothing was delivered at all", async () => {
    const { made } = subscriptions();
    const { id } = await made.create({ connector_id: "github", url, cursor: null }, manager("h"));
    const message = "Nothing was delivered yet that could be delivered once more.";
    await expect(made.redeliver(id, { from: 0 }, manager("h"))).rejects.toMatchObject(refusal(message));
  });
});

describe("the address of a subscription", () => {
  it.each([
    [undefined, "wrong_type", "url must be the https address that takes the deliveries."],
    [5, "wrong_type", "url must be the https address that takes the deliveries."],
    [url.padEnd(2_049, "x"), "out_of_range", "url has more than 2048 characters."],
  ])("is refused where it is not valid, or too long (%#)", async (given, code, message) => {
    const { made } = subscriptions();
    const wanted = { connector_id: "github", ...(given === undefined ? {} : { url: given }) };
    await expect(made.check(wanted, manager("f"))).rejects.toMatchObject({
      code: "invalid_request",
      faults: [{ pointer: "/url", code, message }],
    });
    expect((await made.check({ ...wanted, url: url.padEnd(2_048, "x") }, manager("f"))).content.url).toHaveLength(2_048);
  });
});
