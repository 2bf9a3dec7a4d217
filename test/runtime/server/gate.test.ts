import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import express from "express";
import { afterEach, expect, it } from "vitest";
import { Gate } from "../../../runtime/server/gate.ts";

let server: Server;
afterEach(() => server.close());

it("does not wait for a caller who does not send the rest of a body when the service ends", async () => {
  const gate = new Gate(10);
  const app = express();
  app.post("/", gate.arrival, express.json(), gate.place, (_request, response) => response.end());
  app.use(((_thrown, _request, response, _next) => response.end()) as express.ErrorRequestHandler);
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const arrived = once(server, "request");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":');
  await arrived;
  // The end comes long before the patience is used up, or the test takes too long and fails.
  expect(await gate.close(600_000)).toBe(true);
});

it("takes requests while the service leaves, each as the last one of its connection, and none once it ends", async () => {
  const gate = new Gate(10);
  const app = express();
  app.get("/", gate.arrival, gate.place, (_request, response) => void response.end("served"));
  app.use(((_thrown, _request, response, _next) => void response.status(503).end()) as express.ErrorRequestHandler);
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return [response.status, await response.text(), response.headers.get("connection")];
  };
  expect(await ask()).toEqual([200, "served", "keep-alive"]);
  gate.leave();
  expect(await ask()).toEqual([200, "served", "close"]);
  await gate.close(600_000);
  expect(await ask()).toEqual([503, "", "close"]);
});
