import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import express from "express";
import { pino } from "pino";
import { expect, it } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import { github } from "../../../generated/github/index.ts";
import { type Callers, fullGrant, type Grant } from "../../../runtime/accounts/index.ts";
import { Rounds } from "../../../runtime/base/rounds.ts";
import { createApp } from "../../../runtime/server/app.ts";
import { listen } from "../../../runtime/server/connections/listen.ts";
import type { ListedInstance } from "../../../runtime/server/instance-of.ts";
import { repeatedRequests } from "../../../runtime/server/monitoring/access-log.ts";
import { mcpRoute } from "../../../runtime/server/routes/mcp-route.ts";
import { Streams } from "../../../runtime/server/streamed.ts";
import { appOptions } from "../../support/http.ts";
import { standIn } from "../../support/shaped.ts";

/** A choice of entities that counts how often somebody asks which entities are in it. */
class Counted extends Array<string> {
  asked = 0;
  override includes(name: string): boolean {
    this.asked++;
    return super.includes(name);
  }
}

const instance = (id: string, connector: string, more: object = {}): ListedInstance => ({
  id,
  connector,
  title: connector,
  workspace: "default",
  organization: null,
  status: "ready",
  ...more,
});

it("the list of entities is made once for each choice of entities, and has what is true at the time of the request", async () => {
  const counted = Counted.from(["issues", "labels"]) as Counted;
  const grants: Readonly<Record<string, Grant>> = {
    some: { ...fullGrant, rights: ["read"], entities: counted },
    writer: { ...fullGrant, rights: ["read", "write"], entities: counted },
    other: { ...fullGrant, rights: ["read"], entities: ["users"] },
    one: { ...fullGrant, rights: ["read"], instances: ["b"] },
  };
  const admit = async (token: string) => ({ id: token, name: token, grant: grants[token] ?? fullGrant });
  let instances = [instance("a", "github"), instance("b", "figma")];
  const app = createApp({
    ...appOptions(new Map()),
    callers: standIn<Callers>({ admit }),
    list: async () => instances,
    connectors: new Map([github, figma].map((one) => [one.name, one])),
    mcpWrites: true,
  });
  const log = pino({ level: "silent" });
  const { server, url } = await listen(app, { host: "127.0.0.1", port: 0, maxConnections: 10, writeTimeout: 5_000, log });
  /** Each connector with its entities and their actions. */
  const list = async (token: string) => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_entities", arguments: {} } }),
    });
    const { content } = (await response.json()).result;
    return JSON.parse(content[0].text).connectors.map((one: { id: string; simulated?: true; entities: { name: string }[] }) => ({
      ...one,
      entities: one.entities.map(({ name }) => name),
      actions: one.entities.map((entity) => ("actions" in entity ? entity.actions : [])),
    }));
  };
  const [first, second] = await list("some");
  expect([first.id, first.entities, first.actions[1]]).toEqual([
    "a",
    ["issues", "labels"],
    ["get", "list", "context_store_search"],
  ]);
  expect([second.id, second.entities]).toEqual(["b", []]);
  const asked = counted.asked;
  expect(asked).toBeGreaterThan(0);
  expect(await list("some")).toEqual([first, second]);
  const [written] = await list("writer");
  expect([written.entities, written.actions[0]]).toEqual([["issues", "labels"], expect.arrayContaining(["create", "update"])]);
  expect(first.actions[0]).not.toContain("create");
  expect((await list("other"))[0].entities).toEqual(["users"]);
  expect((await list("one")).map(({ id }: { id: string }) => id)).toEqual(["b"]);
  instances = [instance("a", "github", { simulated: true }), instance("c", "github"), instance("d", "figma", { status: "off" })];
  const later = await list("some");
  expect(later).toEqual([
    { ...first, simulated: true },
    { ...first, id: "c" },
  ]);
  expect(counted.asked).toBe(asked);
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

it.each([
  [undefined, 200],
  ["*/*", 200],
  ["text/event-stream;q=0.5, application/*", 200],
  ["application/json", 406],
  ["text/html", 406],
])("a message of an earlier revision with Accept: %s has status %i", async (accept, status) => {
  const app = createApp({
    ...appOptions(new Map()),
    callers: standIn<Callers>({ admit: async (token: string) => ({ id: token, name: token, grant: fullGrant }) }),
    list: async () => [instance("a", "github")],
    connectors: new Map([[github.name, github]]),
  });
  const log = pino({ level: "silent" });
  const { server, url } = await listen(app, { host: "127.0.0.1", port: 0, maxConnections: 10, writeTimeout: 5_000, log });
  const answered = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      Authorization: "Bearer a",
      "Content-Type": "application/json",
      ...(accept === undefined ? {} : { accept }),
    };
    const sent = request(`${url}/mcp`, { method: "POST", headers }, resolve).on("error", reject);
    sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }));
  });
  expect(answered.statusCode).toBe(status);
  answered.resume();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

it("a message begins in a round of its own", async () => {
  const paced: string[] = [];
  const rounds = new Rounds({ most: 1 });
  // The turn of this round is taken, and the next one follows only when this one has ended.
  let waited = 0;
  const turn = rounds.turn.bind(rounds);
  rounds.turn = (caller) => {
    const given = turn(caller);
    if (given !== undefined) waited++;
    return given;
  };
  const caller = { id: "a", name: "a", grant: fullGrant };
  const more = { list: async () => [], connectors: new Map(), mcpWrites: false, recheck: async () => caller };
  const options = appOptions(new Map());
  const route = mcpRoute({
    ...options,
    ...more,
    repeated: repeatedRequests(options.log, undefined),
    streams: new Streams(),
    rounds,
    pace: standIn<Rounds>({ turn: (who) => void paced.push(who) as undefined }),
  });
  const app = express().use(express.json());
  app.post("/mcp", (request, response, next) => {
    response.locals["caller"] = caller;
    void rounds.turn("before");
    void route(request, response, next);
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  expect((await response.json()).result.tools.length).toBeGreaterThan(0);
  expect([waited, paced]).toEqual([1, ["a"]]);
  server.closeAllConnections();
  server.close();
});
