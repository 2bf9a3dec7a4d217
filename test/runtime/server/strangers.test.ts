import { crc32 } from "node:zlib";
import type { Request, Response } from "express";
import { describe, expect, it } from "vitest";
import { type Caller, fullGrant } from "../../../runtime/accounts/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import { Answers } from "../../../runtime/server/answers.ts";
import { admitCaller, callerOf, operator, tokenHash } from "../../../runtime/server/callers/bearer.ts";
import { Strangers } from "../../../runtime/server/callers/strangers.ts";
import { tokenRoute } from "../../../runtime/server/routes/token-route.ts";
import { standIn } from "../../support/shaped.ts";

const operatorKey = "key-of-the-operator-of-this-test";

/** A text with the form and the checksum of a key. Whoever reads the source can make any number of them. */
function forged(nth: number): string {
  const body = `tenon_key_${String(nth).padStart(43, "0")}`;
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let sum = "";
  for (let rest = crc32(body); sum.length < 6; rest = Math.floor(rest / 62)) sum = `${alphabet[rest % 62]}${sum}`;
  return body + sum;
}

const good = new Set([forged(1), forged(2)]);

/** The check of callers, with a store that counts how often it is asked. */
function started() {
  let now = 0;
  const asked: string[] = [];
  const callers = {
    admit: async (token: string): Promise<Caller | undefined> => {
      asked.push(token);
      return good.has(token) ? { id: token, name: "n", grant: fullGrant } : undefined;
    },
  };
  const admit = admitCaller(tokenHash(operatorKey), callers, new Strangers(() => now));
  /** The id of the caller, or the error. */
  const send = (token: string | undefined, ip = "192.0.2.1") =>
    new Promise<string | TenonError>((resolve) => {
      const response: Response = standIn<Response>({ locals: {}, setHeader: () => response });
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      void admit({ headers, ip } as Request, response, (error?: unknown) =>
        resolve(error instanceof TenonError ? error : callerOf(response).id),
      );
    });
  const code = async (token: string | undefined, ip?: string) => {
    const outcome = await send(token, ip);
    return typeof outcome === "string" ? outcome : outcome.code;
  };
  const wait = (ms: number) => {
    now += ms;
  };
  return { asked, send, code, wait };
}

describe("tokens that are not accepted", () => {
  it("get 429 beyond twenty in a minute, and the store is not asked", async () => {
    const { asked, send, code, wait } = started();
    for (let nth = 0; nth < 20; nth++) expect(await code(`wrong-${nth}`)).toBe("unauthorized");
    const before = asked.length;
    wait(30_500);
    for (let nth = 0; nth < 1_000; nth++)
      expect(await send(`wrong-${nth}`)).toMatchObject({ code: "too_many_requests", retryAfter: 30 });
    expect(asked.length).toBe(before);
    expect(await code("wrong", "192.0.2.2")).toBe("unauthorized");
    wait(30_000);
    expect(await code("wrong")).toBe("unauthorized");
  });

  it("are counted for a whole network of IPv6", async () => {
    const { code } = started();
    for (let nth = 0; nth < 20; nth++) await code("wrong", `2001:db8::${nth}`);
    expect(await code("wrong", "2001:db8::ffff:1:2")).toBe("too_many_requests");
    expect(await code("wrong", "2001:db8:0:1::1")).toBe("unauthorized");
  });

  it("do not keep good tokens of the same address from working, known or new ones", async () => {
    const { code } = started();
    expect(await code(forged(1))).toBe(forged(1));
    for (let nth = 0; nth < 200; nth++) await code(`wrong-${nth}`);
    expect([await code(forged(1)), await code(forged(2)), await code(operatorKey)]).toEqual([forged(1), forged(2), operator.id]);
  });

  it("are looked up a bounded number of times, although each could be a key; tokens that were good before still work", async () => {
    const { asked, code } = started();
    expect(await code(forged(1))).toBe(forged(1));
    for (let nth = 0; nth < 2_000; nth++) await code(forged(1_000 + nth));
    expect(asked.length).toBeLessThanOrEqual(301);
    expect([await code(forged(1)), await code(operatorKey)]).toEqual([forged(1), operator.id]);
    expect(await code(forged(1), "192.0.2.9")).toBe(forged(1));
  });

  it("are not counted where there is no token at all", async () => {
    const { code } = started();
    for (let nth = 0; nth < 100; nth++) expect(await code(undefined)).toBe("unauthorized");
  });
});

describe("secrets of clients that are not accepted", () => {
  it("are looked up a bounded number of times, although each could be one, together with tokens", async () => {
    const strangers = new Strangers(() => 0);
    let proved = 0;
    const callers = {
      prove: async () => {
        proved++;
        return undefined;
      },
      issue: () => Promise.reject(new Error("nobody is proved")),
    };
    const route = tokenRoute(callers, new Answers(1), strangers);
    const response: Response = standIn<Response>({ locals: {}, setHeader: () => response });
    const code = async (secret: string) => {
      const request = standIn<Request>({ headers: {}, ip: "192.0.2.1", body: { client_id: "c", client_secret: secret } });
      return Promise.resolve(route(request, response, () => undefined)).catch((thrown: TenonError) => thrown.code);
    };
    expect(await code(forged(1))).toBe("unauthorized");
    for (let nth = 0; nth < 2_000; nth++)
      expect(["unauthorized", "too_many_requests"]).toContain(await code(forged(1_000 + nth)));
    expect(proved).toBeLessThanOrEqual(300);
    expect(strangers.refusal(() => "192.0.2.1", forged(3))?.code).toBe("too_many_requests");
    // What cannot be a stored secret needs no look, and may be that of the settings.
    expect(await code("a secret of the settings")).toBe("too_many_requests");
    expect(proved).toBeLessThanOrEqual(301);
  });
});
