import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { expect, it, vi } from "vitest";
import { createLog } from "../../../runtime/base/log.ts";
import { Answers } from "../../../runtime/server/answers.ts";
import { Gate } from "../../../runtime/server/gate.ts";
import { problemHandler } from "../../../runtime/server/problem.ts";
import { type Webhooks, webhookRoute } from "../../../runtime/server/routes/webhook-route.ts";
import { WebhookInbox } from "../../../runtime/webhooks/index.ts";

it("looks up few secrets at once, however many deliveries of nobody known come in", async () => {
  const waiting: (() => void)[] = [];
  let looked = 0;
  let came = 0;
  const never = () => Promise.reject(new Error("nothing is proved"));
  const webhooks: Webhooks = {
    inbox: new WebhookInbox(
      {
        addHints: never,
        dueHints: never,
        endHints: never,
        postponeHints: never,
        toldScopes: never,
        waitingHints: never,
        knownDeliveries: never,
      },
      () => undefined,
    ),
    secrets: async () => {
      looked++;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return [];
    },
    find: async () => undefined,
    state: async () => undefined,
    count: () => undefined,
  };
  const app = express();
  app.use((_request, _response, next) => {
    came++;
    next();
  });
  app.post("/:connectorId/webhook", ...webhookRoute(webhooks, new Gate(10), new Answers(1)));
  app.use(problemHandler(createLog("error", (text) => text, { write: () => undefined })));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sent = Array.from({ length: 5 }, (_, at) => fetch(`http://127.0.0.1:${port}/c${at}/webhook?scope=x`, { method: "POST" }));
  await vi.waitFor(() => expect(came).toBe(5));
  expect(looked).toBe(2);
  for (let ended = 0; ended < 5; ended++) {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
    waiting.shift()?.();
  }
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect(looked).toBe(5);
  server.closeAllConnections();
  server.close();
});
