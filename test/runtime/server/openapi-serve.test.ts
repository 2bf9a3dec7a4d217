import type { Request, Response } from "express";
import { expect, it, vi } from "vitest";
import { connectors } from "../../../generated/index.ts";
import { Rounds } from "../../../runtime/base/rounds.ts";
import { connectorOpenapi } from "../../../runtime/server/openapi/serve.ts";
import { shaped, standIn } from "../../support/shaped.ts";

const round = () => new Promise((resolve) => setImmediate(resolve));

it("documents that anybody may ask for are sent one in each round of the event loop, and nothing of them is copied", async () => {
  const descriptions = { version: "1", connectors: new Map(connectors.map(({ name, openapi }) => [name, openapi])) };
  const route = connectorOpenapi(descriptions, new Rounds({ most: 1 }));
  const sent: unknown[] = [];
  const ask = () => {
    const request = standIn<Request>({ params: { connector: "github" }, headers: {}, ip: "192.0.2.1" });
    const response = {
      locals: {},
      setHeader: () => undefined,
      writeHead: () => undefined,
      end: (body: unknown) => sent.push(body),
    };
    return route(request, shaped<Response>(response), () => undefined);
  };
  await ask();
  const all = Promise.all(Array.from({ length: 20 }, ask));
  const most: number[] = [];
  await vi.waitFor(
    async () => {
      const before = sent.length;
      await round();
      most.push(sent.length - before);
      expect(sent.length).toBe(21);
    },
    { interval: 0, timeout: 60_000 },
  );
  await all;
  expect(Math.max(...most)).toBeLessThanOrEqual(2);
  expect(new Set(sent).size).toBe(1);
});
