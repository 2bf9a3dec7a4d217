import { afterEach, describe, expect, it, vi } from "vitest";
import { TenonError } from "../../../runtime/base/errors.ts";
import { GrantRefused } from "../../../runtime/platform/grant-call.ts";
import { TokenSource, type TokenSourceOptions } from "../../../runtime/platform/token-source.ts";
import { type KeptTokens, memoryVault, type Tokens, type TokenVault, tokensOf } from "../../../runtime/platform/tokens.ts";

const hour = 3_600_000;

/** A source whose platform gives tokens `t1`, `t2` … that last an hour, with refresh tokens `r1`, `r2` …. */
function sourceWith(more: Partial<TokenSourceOptions> = {}) {
  const asked: (string | undefined)[] = [];
  const seen: string[] = [];
  const options: TokenSourceOptions = {
    kind: "user",
    title: "Desk",
    id: "acme",
    origin: "o",
    vault: memoryVault(),
    renew: async (former) => {
      asked.push(former?.refreshToken);
      await Promise.resolve();
      return tokensOf(`t${asked.length}`, hour, `r${asked.length}`);
    },
    onTokens: ({ token }) => void seen.push(token),
    ...more,
  };
  return { source: new TokenSource(options), asked, seen };
}

const credential = (token: string) => ({ kind: "user", values: { token } });
const over: Tokens = { token: "t0", renewAt: 0, expiresAt: 1, refreshToken: "r0" };
/** It should be renewed, and is good for an hour. */
const old = (): Tokens => ({ token: "t0", renewAt: 0, expiresAt: Date.now() + hour, refreshToken: "r0" });

afterEach(() => void vi.useRealTimers());

describe("a source of tokens", () => {
  it("asks once for all who wait, and gives the token until it is to be renewed", async () => {
    const { source, asked, seen } = sourceWith();
    const got = await Promise.all(Array.from({ length: 200 }, () => source.credential()));
    expect(new Set(got.map(({ values }) => values["token"]))).toEqual(new Set(["t1"]));
    expect(await source.credential()).toEqual(credential("t1"));
    expect(asked).toEqual([undefined]);
    expect(seen).toEqual(["t1"]);
  });

  it("renews what is over, with the refresh token that is kept", async () => {
    const vault = memoryVault({ origin: "o", tokens: over });
    const { source, asked } = sourceWith({ vault });
    expect(await source.credential()).toEqual(credential("t1"));
    expect(asked).toEqual(["r0"]);
    expect((await vault.lease()).kept?.tokens).toMatchObject({ token: "t1", refreshToken: "r1" });
  });

  it("uses what another process keeps, and not what was given for another credential", async () => {
    const kept: KeptTokens = { origin: "o", tokens: { ...old(), token: "theirs", renewAt: null } };
    const same = sourceWith({ vault: memoryVault(kept) });
    expect(await same.source.credential()).toEqual(credential("theirs"));
    expect(same.asked).toEqual([]);
    const other = sourceWith({ vault: memoryVault({ ...kept, origin: "other" }) });
    expect(await other.source.credential()).toEqual(credential("t1"));
    expect(other.asked).toEqual([undefined]);
  });

  it("renews a token that the platform refuses once for all who used it, and never one that it has just got", async () => {
    const vault = memoryVault({ origin: "o", tokens: { ...old(), renewAt: null } });
    const { source, asked } = sourceWith({ vault });
    const used = await source.credential();
    const renewed = await Promise.all(Array.from({ length: 50 }, () => source.renew(used)));
    expect(new Set(renewed.map((one) => one?.values["token"]))).toEqual(new Set(["t1"]));
    expect(await source.renew(used)).toEqual(credential("t1"));
    expect(await source.renew(credential("t1"))).toBeUndefined();
    expect(asked).toEqual(["r0"]);
  });

  it("keeps a refresh token that the platform does not replace", async () => {
    const vault = memoryVault({ origin: "o", tokens: over });
    const { source } = sourceWith({ vault, renew: async () => tokensOf("next", hour) });
    await source.credential();
    expect((await vault.lease()).kept?.tokens).toMatchObject({ token: "next", refreshToken: "r0" });
  });

  it("keeps new tokens before anybody uses them, and does not lose them when that fails", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const events: string[] = [];
    const memory = memoryVault({ origin: "o", tokens: over });
    let fails = true;
    const vault: TokenVault = {
      lease: () => memory.lease(),
      save: async (kept) => {
        if (fails && kept !== undefined) throw new TenonError("accounts_unusable", "The disk is full.");
        events.push(`kept ${kept?.tokens?.token}`);
        return memory.save(kept);
      },
    };
    const { source, asked, seen } = sourceWith({ vault, onTokens: ({ token }) => void events.push(`used ${token}`) });
    await expect(source.credential()).rejects.toMatchObject({ code: "accounts_unusable" });
    expect(events.filter((event) => event.includes("t1"))).toEqual([]);
    fails = false;
    vi.advanceTimersByTime(2_001);
    expect(await source.credential()).toEqual(credential("t1"));
    expect(events.filter((event) => event.includes("t1"))).toEqual(["kept t1", "used t1"]);
    expect([asked, seen]).toEqual([["r0"], []]);
  });

  it("keeps new tokens with the next try, when another process has had the right to renew them in between", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const memory = memoryVault({ origin: "o", tokens: over });
    let tries = 0;
    const vault: TokenVault = { lease: () => memory.lease(), save: async (kept) => ++tries > 1 && memory.save(kept) };
    const { source, asked } = sourceWith({ vault });
    await expect(source.credential()).rejects.toMatchObject({
      code: "platform_failed",
      message: 'The new token of the connector "acme" could not be kept yet.',
      retryAfter: 1,
    });
    vi.advanceTimersByTime(2_001);
    expect(await source.credential()).toEqual(credential("t1"));
    expect(asked).toEqual(["r0"]);
  });

  it("gives up when another process renews the tokens for half a minute", async () => {
    vi.useFakeTimers();
    const vault: TokenVault = { lease: async () => ({ leased: false, kept: undefined }), save: async () => true };
    const { source, asked } = sourceWith({ vault });
    const waiting = expect(source.credential()).rejects.toMatchObject({
      code: "platform_failed",
      message: "Another process has been renewing the token of Desk for too long.",
      retryAfter: 5,
    });
    await vi.advanceTimersByTimeAsync(31_000);
    await waiting;
    expect(asked).toEqual([]);
  });

  it("says that the user must authorize when the platform refuses the refresh token, and asks no more", async () => {
    let asked = 0;
    const renew = async () => {
      asked++;
      throw new GrantRefused("Desk gave no token (invalid_grant).", true);
    };
    const vault = memoryVault({ origin: "o", tokens: old() });
    const { source } = sourceWith({ vault, renew });
    for (const one of [source, source, sourceWith({ vault, renew }).source])
      await expect(one.credential()).rejects.toMatchObject({
        code: "authorization_required",
        message: expect.stringContaining('The connector "acme" must be authorized by a user of Desk'),
      });
    expect(asked).toBe(1);
  });

  it("goes on with the former token while the platform fails, as long as that one is good", async () => {
    let asked = 0;
    const renew = async () => {
      asked++;
      throw new TenonError("platform_failed", "Desk did not respond.");
    };
    const { source } = sourceWith({ vault: memoryVault({ origin: "o", tokens: old() }), renew });
    expect(await source.credential()).toEqual(credential("t0"));
    expect(await source.credential()).toEqual(credential("t0"));
    expect(asked).toBe(1);
    await expect(source.renew(credential("t0"))).rejects.toMatchObject({ code: "platform_failed" });
    const without = sourceWith({ vault: memoryVault({ origin: "o", tokens: over }), renew });
    await expect(without.source.credential()).rejects.toMatchObject({ code: "platform_failed" });
  });

  it("reports a refusal that is not about the user, and waits before it asks again", async () => {
    let asked = 0;
    const renew = async () => {
      asked++;
      throw new GrantRefused("Desk gave no token (invalid_client).", false);
    };
    const vault = memoryVault();
    const { source } = sourceWith({ vault, renew });
    for (const _ of [1, 2, 3])
      await expect(source.credential()).rejects.toMatchObject({
        code: "platform_unauthorized",
        message: "Desk gave no token (invalid_client).",
      });
    expect(asked).toBe(1);
    expect((await vault.lease()).kept).toBeUndefined();
  });

  it("waits while another process has the right to renew, and takes what that one keeps", async () => {
    let looks = 0;
    const vault: TokenVault = {
      lease: async () => {
        looks++;
        return looks < 4
          ? { leased: false, kept: { origin: "o", tokens: over } }
          : { leased: false, kept: { origin: "o", tokens: { ...old(), token: "theirs", renewAt: null } } };
      },
      save: async () => true,
    };
    const { source, asked } = sourceWith({ vault });
    expect(await source.credential()).toEqual(credential("theirs"));
    expect([looks, asked]).toEqual([4, []]);
  });
});
