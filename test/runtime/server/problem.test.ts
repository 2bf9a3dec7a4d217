import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express, { type ErrorRequestHandler } from "express";
import { pino } from "pino";
import { expect, it } from "vitest";
import { problemHandler } from "../../../runtime/server/problem.ts";

it("errors of the router are the caller's only from 400 to 499; one after the beginning of a response goes on", async () => {
  const passed: unknown[] = [];
  const app = express();
  app.get("/begun", (_request, response) => {
    response.write("begun");
    throw new Error("broken");
  });
  app.get("/:status", ({ params }) => {
    throw Object.assign(new Error("of the router"), { status: Number(params.status) });
  });
  app.use(problemHandler(pino({ level: "silent" })));
  app.use(((error, _request, response, _next) => {
    passed.push(error.message);
    response.end();
  }) satisfies ErrorRequestHandler);
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers: unknown[] = [];
  for (const path of ["399", "400", "404", "499", "500", "%ff"]) {
    const response = await fetch(`${url}/${path}`);
    answers.push([path, response.status, ((await response.json()) as { code: string }).code]);
  }
  const begun = await (await fetch(`${url}/begun`)).text();
  server.closeAllConnections();
  server.close();
  expect(answers).toEqual([
    ["399", 500, "internal"],
    ["400", 400, "invalid_http"],
    ["404", 404, "unknown_route"],
    ["499", 400, "invalid_http"],
    ["500", 500, "internal"],
    ["%ff", 404, "unknown_route"],
  ]);
  expect([begun, passed]).toEqual(["begun", ["broken"]]);
});
