import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type AccountStore,
  type CallerKind,
  Callers,
  checkFreeName,
  createCaller,
  deriveKeys,
  fullGrant,
  type MadeCaller,
  revokeCaller,
  rotateSecret,
} from "../../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../../runtime/accounts/sqlite/sqlite-account-store.ts";

const first = "the-first-secret-key-of-this-test-0000";
const second = "the-second-secret-key-of-this-test-000";
const keys = deriveKeys([first]);
const minute = 60_000;

let folder: string;
let store: AccountStore;
let now: number;
let callers: Callers;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenon-callers-"));
  store = openSqliteAccounts(folder);
  await store.open();
  now = 1_800_000_000_000;
  callers = callersWith(first);
});
afterEach(async () => {
  await callers.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const callersWith = (...texts: string[]) => new Callers({ store, keys: deriveKeys(texts), now: () => now });
const make = (kind: CallerKind, expiresAt: number | null = null) =>
  createCaller(store, keys, { kind, name: "n", grant: fullGrant, expiresAt }, now);

async function tokenOf({ caller, secret }: MadeCaller, by = callers, lifetime = 900): Promise<string> {
  const client = await by.prove(caller.id, secret);
  if (client === undefined) throw new Error("the client was not proved");
  return by.issue(client, lifetime);
}

describe("an API key", () => {
  it("is admitted with its grant until it ends", async () => {
    const { caller, secret } = await make("key", now + minute);
    expect(await callers.admit(secret)).toEqual({ id: caller.id, name: "n", grant: fullGrant });
    now += minute;
    expect(await callers.admit(secret)).toBeUndefined();
  });

  it("is refused at once when it is revoked, and cannot be revoked or rotated again", async () => {
    const { caller, secret } = await make("key");
    expect(await callers.admit(secret)).toBeDefined();
    await revokeCaller(store, "key", caller.id, now);
    expect(await callers.admit(secret)).toBeUndefined();
    await expect(revokeCaller(store, "key", caller.id)).rejects.toMatchObject({ code: "unknown_caller" });
    await expect(rotateSecret(store, keys, "key", caller.id, 0)).rejects.toMatchObject({ code: "unknown_caller" });
  });

  it.each(["key", "client"] as const)("has a name that no key or client can get until the %s is revoked", async (kind) => {
    const { caller } = await make(kind);
    await expect(checkFreeName(store, "n")).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(new RegExp(`^/name: A ${kind} has the name "n" already\\.(?!.*${caller.id})`)),
    });
    await checkFreeName(store, "other");
    await revokeCaller(store, kind, caller.id);
    await checkFreeName(store, "n");
  });

  it("cannot have a name that a policy could take for the id of another caller", async () => {
    const { caller } = await make("key");
    const named = (name: string) => createCaller(store, keys, { kind: "client", name, grant: fullGrant, expiresAt: null }, now);
    for (const name of [caller.id, caller.id.toUpperCase(), "operator", "local", "compat", "oauth:user-1"])
      await expect(named(name)).rejects.toMatchObject({ message: expect.stringContaining("id of another caller") });
    for (const name of ["operators", "key_rotation", "oauth"]) await named(name);
  });

  it("stays good beside its new secret for the overlap", async () => {
    const { caller, secret } = await make("key");
    const { secret: next } = await rotateSecret(store, keys, "key", caller.id, minute, now);
    now += minute - 1;
    expect(await callers.admit(secret)).toBeDefined();
    now += 1;
    expect(await callers.admit(secret)).toBeUndefined();
    expect(await callers.admit(next)).toMatchObject({ id: caller.id });
  });

  it("is no client's secret, and the other way round", async () => {
    const key = await make("key");
    const client = await make("client");
    expect(await callers.prove(key.caller.id, key.secret)).toBeUndefined();
    expect(await callers.admit(client.secret)).toBeUndefined();
  });

  it("is noted as used, to a minute", async () => {
    const { caller, secret } = await make("key");
    for (const step of [0, 1000, minute]) {
      now += step;
      await callers.admit(secret);
    }
    await callers.close();
    expect((await store.caller(caller.id))?.lastUsedAt).toBe(now);
  });
});

describe("a client", () => {
  it.each<[string, (made: MadeCaller, other: MadeCaller) => [unknown, unknown]]>([
    ["a wrong secret", ({ caller }, other) => [caller.id, other.secret]],
    ["a wrong id", ({ secret }) => ["client_000000000000", secret]],
    ["no secret", ({ caller }) => [caller.id, null]],
    ["values of other types", () => [["a"], { b: 1 }]],
    ["both missing", () => [undefined, undefined]],
  ])("is not proved by %s", async (_title, given) => {
    expect(await callers.prove(...given(await make("client"), await make("client")))).toBeUndefined();
  });

  it("gets tokens that all stay good for their lifetime, after a restart and in every process", async () => {
    const client = await make("client");
    const tokens = [await tokenOf(client), await tokenOf(client, callersWith(first), 5400)];
    const other = callersWith(first);
    for (const token of tokens) expect(await other.admit(token)).toMatchObject({ id: client.caller.id });
    now += 900_000;
    expect(await other.admit(tokens[0] ?? "")).toBeUndefined();
    expect(await callers.admit(tokens[0] ?? "")).toBeUndefined();
    expect(await other.admit(tokens[1] ?? "")).toBeDefined();
  });

  it("loses its tokens when it is revoked, and those of a former secret when that ends", async () => {
    const client = await make("client");
    const token = await tokenOf(client);
    expect(await callers.admit(token)).toBeDefined();
    const rotated = await rotateSecret(store, keys, "client", client.caller.id, 0, now);
    expect(await callers.admit(token)).toBeUndefined();
    const next = await tokenOf(rotated);
    expect(await callers.admit(next)).toBeDefined();
    await revokeCaller(store, "client", client.caller.id, now);
    expect(await callers.admit(next)).toBeUndefined();
    expect(await callers.prove(rotated.caller.id, rotated.secret)).toBeUndefined();
  });
});

describe("a token", () => {
  const claims = { sec: "s" };
  const signed = (header: { alg: string; kid?: string; typ?: string }, key: Uint8Array) =>
    new SignJWT(claims)
      .setProtectedHeader(header)
      .setSubject("client_x")
      .setIssuer("tenon")
      .setAudience("tenon")
      .setExpirationTime("1h")
      .sign(key);

  it("is refused unless one of the secret keys has signed it", async () => {
    const forged = Buffer.alloc(32, 1);
    const id = keys.current.id;
    const wrong = [
      await signed({ alg: "HS256", typ: "at+jwt", kid: id }, forged),
      await signed({ alg: "HS256", typ: "at+jwt" }, forged),
      await signed({ alg: "HS256", typ: "at+jwt", kid: "other" }, forged),
      new UnsecuredJWT(claims).setSubject("client_x").setIssuer("tenon").setAudience("tenon").setExpirationTime("1h").encode(),
      "a.b.c",
      "",
      "x".repeat(10_000),
    ];
    for (const token of wrong) expect(await callers.admit(token)).toBeUndefined();
  });

  it("is refused when a part of it was changed", async () => {
    const [header = "", payload = "", signature = ""] = (await tokenOf(await make("client"))).split(".");
    const later = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), exp: 9_999_999_999 };
    const changed = Buffer.from(JSON.stringify(later)).toString("base64url");
    expect(await callers.admit(`${header}.${changed}.${signature}`)).toBeUndefined();
    expect(await callers.admit(`${header}.${payload}.${signature}`)).toBeDefined();
  });
});

describe("a new secret key", () => {
  it("takes over what an older one protects, which is needed no longer after one use", async () => {
    const key = await make("key");
    const client = await make("client");
    const token = await tokenOf(client);
    const both = callersWith(second, first);
    expect(await both.admit(key.secret)).toBeDefined();
    expect(await both.admit(token)).toBeDefined();
    const next = await tokenOf(client, both);
    expect((await store.liveSecrets(now)).map(({ keyId }) => keyId)).toEqual(Array(2).fill(deriveKeys([second]).current.id));
    const alone = callersWith(second);
    expect(await alone.admit(key.secret)).toBeDefined();
    expect(await alone.admit(next)).toBeDefined();
    expect(await alone.admit(token)).toBeUndefined();
  });
});
