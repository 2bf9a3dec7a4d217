import { EventEmitter, once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type ErrorRequestHandler } from "express";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Caller, fullGrant } from "../../../runtime/accounts/index.ts";
import { asTenonError } from "../../../runtime/base/errors.ts";
import { Answers } from "../../../runtime/server/answers.ts";
import { noteCaller } from "../../../runtime/server/callers/bearer.ts";
import { limitCaller } from "../../../runtime/server/limits/limit-caller.ts";
import { Usages } from "../../../runtime/server/limits/usages.ts";
import { shaped } from "../../support/shaped.ts";

const caller: Caller = { id: "a", name: "a", grant: fullGrant };
let server: Server;
let usages: Usages;
let url: string;

beforeEach(async () => {
  usages = new Usages({ cpuSeconds: 6 }, {}, { now: () => 0 });
  const answers = new Answers(16 * 1024 * 1024);
  const app = express();
  app.use((_request, response, next) => {
    noteCaller(response, caller);
    next();
  });
  app.use(limitCaller(usages));
  app.get("/:length", ({ params }, response) => answers.sendJson(response, "x".repeat(Number(params.length))));
  app.use(((error, _request, response, _next) => {
    response.status(asTenonError(error).status).end();
  }) satisfies ErrorRequestHandler);
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

describe("the processor time of a caller", () => {
  const spentBy = async (length: number): Promise<number[]> => {
    const usage = usages.of(caller);
    const spent: number[] = [];
    usage.spend = (_name, amount) => void spent.push(amount);
    expect((await (await fetch(`${url}/${length}`)).text()).length).toBe(length + 2);
    return spent;
  };

  it("is used by making a large response", async () => {
    expect(await spentBy(100_000)).toEqual([expect.any(Number)]);
  });

  it("is not used by making a short one", async () => {
    expect(await spentBy(100)).toEqual([]);
  });

  it("must be left for a request without a body, too", async () => {
    expect((await fetch(`${url}/1`)).status).toBe(200);
    usages.of(caller).spend("cpuSeconds", 1);
    expect((await fetch(`${url}/1`)).status).toBe(429);
  });
});

it("a request whose client has gone while its limits were asked is under way no longer", async () => {
  const gone = Object.assign(new EventEmitter(), { locals: {}, closed: true });
  noteCaller(shaped(gone), caller);
  const refused = await new Promise((next) => void limitCaller(usages)(shaped({}), shaped(gone), next));
  expect([refused, usages.of(caller).isIdle]).toEqual([undefined, true]);
});

it("a caller with a limit of requests sees in each response how many are left, and when all of them are back", async () => {
  const headers = new Map<string, unknown>();
  const setHeader = (name: string, value: unknown) => headers.set(name, value);
  const response = Object.assign(new EventEmitter(), { locals: {}, closed: false, setHeader });
  noteCaller(shaped(response), caller);
  const limits = new Usages({ requests: 20 }, {}, { now: () => 0 });
  await new Promise((next) => void limitCaller(limits)(shaped({}), shaped(response), next));
  const shown = { "RateLimit-Limit": 20, "RateLimit-Remaining": 19, "RateLimit-Reset": 3 };
  expect(Object.fromEntries(headers)).toEqual(shown);
});
