import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import express from "express";
import { afterEach, expect, it, vi } from "vitest";
import { fullGrant } from "../../../runtime/accounts/index.ts";
import { noteCaller } from "../../../runtime/server/callers/bearer.ts";
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

it("lets large bodies of others in, however many come in from one caller or from somebody who is not known", async () => {
  const most = 2 ** 20;
  const gate = new Gate(10, 4 * most);
  const app = express();
  const seen: string[] = [];
  const see: express.RequestHandler = ({ path }) => void seen.push(path);
  app.post("/stranger", gate.arrival, gate.strangerBody(most), see);
  app.post("/of/:id", gate.arrival, (request, response, next) => {
    noteCaller(response, { id: request.path, name: "", grant: fullGrant });
    next();
  });
  app.post("/of/:id", gate.body, see);
  app.use(((thrown, { path }, response, _next) => {
    seen.push(`${path} ${thrown.code}`);
    response.end();
  }) as express.ErrorRequestHandler);
  server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets: Socket[] = [];
  const sendTo = async (path: string) => {
    const before = seen.length;
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${most}\r\n\r\n`);
    await vi.waitFor(() => expect(seen.length).toBeGreaterThan(before), { timeout: 30_000, interval: 1 });
    return seen.at(-1);
  };
  const stranger = [await sendTo("/stranger"), await sendTo("/stranger"), await sendTo("/stranger")];
  expect(stranger).toEqual(["/stranger", "/stranger", "/stranger overloaded"]);
  expect([await sendTo("/of/a"), await sendTo("/of/a"), await sendTo("/of/a")]).toEqual(["/of/a", "/of/a", "/of/a overloaded"]);
  expect([await sendTo("/of/b"), await sendTo("/of/c"), await sendTo("/of/d")]).toEqual(["/of/b", "/of/c", "/of/d overloaded"]);
  for (const socket of sockets) socket.destroy();
});
