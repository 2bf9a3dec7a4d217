import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { pino } from "pino";
import { expect, it } from "vitest";
import { TenonError } from "../../../runtime/base/errors.ts";
import { admissionOfBoth } from "../../../runtime/compat/admission.ts";
import { compatProblem } from "../../../runtime/compat/problem.ts";
import { admitCaller, tokenHash } from "../../../runtime/server/callers/bearer.ts";
import { Strangers } from "../../../runtime/server/callers/strangers.ts";
import { problemHandler } from "../../../runtime/server/problem.ts";

it("trouble of our own with a token is 503 and not 401, after which the client would keep a good token for nothing", async () => {
  const trouble = async () => {
    throw new TenonError("accounts_unusable", "The file of callers cannot be read.");
  };
  const stored = { admit: trouble, prove: trouble, issue: trouble };
  const app = express();
  app.use(admitCaller(tokenHash("operator"), admissionOfBoth(undefined, stored as never), new Strangers()));
  app.use(problemHandler(pino({ level: "silent" }), compatProblem));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { status } = await fetch(url, { headers: { authorization: "Bearer a-good-token" } });
  server.close();
  expect(status).toBe(503);
});
