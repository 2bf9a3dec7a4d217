import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import {
  deriveKeys,
  lostCredentials,
  openCredential,
  openSecrets,
  openState,
  openTokens,
  sealAgain,
  sealCredential,
  sealSecrets,
  sealState,
  sealTokens,
} from "../../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { instance } from "../../conformance/accounts/case.ts";

const dataDir = mkdtempSync(join(tmpdir(), "tenon-tokens-"));
const store = openSqliteAccounts(dataDir);
afterAll(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const [first, second] = ["a first secret key of thirty-two characters", "a second secret key of thirty-two characters"] as const;
const tokens = { origin: "o", tokens: { token: "t" } };

it("tokens are encrypted with the new secret key, so that the old one is needed no longer", async () => {
  const old = deriveKeys([first]);
  await store.leaseTokens("acme", "p", 60_000);
  await store.saveTokens("acme", "p", sealTokens(old, "acme", tokens));
  expect(await lostCredentials(store, deriveKeys([second]), [])).toEqual(["acme"]);
  const both = deriveKeys([second, first]);
  expect(await lostCredentials(store, both, [])).toEqual([]);
  await sealAgain(store, both, []);
  const sealed = (await store.tokens("acme")) ?? "";
  expect(sealed).not.toContain("token");
  expect(openTokens(deriveKeys([second]), "acme", sealed)).toEqual(tokens);
  expect(openTokens(deriveKeys([second]), "other", sealed)).toBeUndefined();
  expect(openTokens(old, "acme", sealed)).toBeUndefined();
});

it("so are credentials, unless somebody has changed their instance meanwhile", async () => {
  const [old, both, keys] = [deriveKeys([first]), deriveKeys([second, first]), deriveKeys([second])];
  const credential = { kind: "token", values: { token: "t" } };
  const sealed = (id: string, by = old) => instance(id, { credential: sealCredential(by, id, credential) });
  const [older, newer, changed] = [sealed("older"), sealed("newer", keys), sealed("changed")];
  for (const one of [older, newer, changed]) await store.addInstance(one);
  await store.changeInstance("changed", { minutes: 5 }, 1);
  const all = [older, newer, changed];
  expect(await lostCredentials(store, keys, all)).toEqual(expect.arrayContaining(["older", "changed"]));
  await sealAgain(store, both, all);
  const now = new Map((await store.instances()).map((one) => [one.id, one]));
  expect(openCredential(keys, now.get("older") ?? older)).toEqual(credential);
  expect(now.get("older")?.version).toBe(2);
  expect(now.get("newer")).toEqual(newer);
  expect(now.get("changed")).toEqual({ ...changed, minutes: 5, version: 2 });
});

it("so are the secrets of subscriptions, of which those stay as they are that have it already", async () => {
  const secrets = [{ secret: "whsec_of-this-test", until: null }];
  const [old, both, keys] = [deriveKeys([first]), deriveKeys([second, first]), deriveKeys([second])];
  const given = { caller: "a", instance: "github", content: "{}", log: "l", position: 5, createdAt: 1_000, expiresAt: null };
  await store.addSubscription({ ...given, id: "older", secrets: sealSecrets(old, "older", secrets) }, 2);
  await store.addSubscription({ ...given, id: "newer", secrets: sealSecrets(both, "newer", secrets) }, 2);
  await sealAgain(store, both, []);
  const [older, newer] = [await store.subscription("older"), await store.subscription("newer")];
  expect(openSecrets(keys, "older", older?.secrets ?? "")).toEqual(secrets);
  expect(openSecrets(keys, "newer", newer?.secrets ?? "")).toEqual(secrets);
  expect([older?.version, newer?.version]).toEqual([2, 1]);
});

it("the state of an authorization is read by nobody else, and not after its time", () => {
  const keys = deriveKeys([first]);
  const state = { instance: "acme", version: 3, caller: "key_1", verifier: "v", until: 5_000 };
  const text = sealState(keys, state);
  expect(openState(keys, text, 4_999)).toEqual(state);
  expect(openState(keys, text, 5_000)).toBeUndefined();
  expect(openState(deriveKeys([second]), text, 0)).toBeUndefined();
  expect(openState(keys, sealTokens(keys, "acme", state), 0)).toBeUndefined();
  expect(openState(keys, `${text}x`, 0)).toBeUndefined();
  expect(text).not.toContain("acme");
});
