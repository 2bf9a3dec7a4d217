import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dropped, json } from "../../runtime/simulator/answer.ts";
import { handlerOf } from "../../runtime/simulator/handle.ts";
import { listen, type SimulatorServer } from "../../runtime/simulator/listen.ts";
import { Simulation } from "../../runtime/simulator/simulation.ts";
import { startSimulator } from "../../runtime/simulator/start-thread.ts";
import { type Notes, notesPlatform, type Writer } from "../support/notes-platform.ts";

// The machine with a platform that is as small as can be.

let simulation: Simulation<Notes, Writer>;
let server: SimulatorServer;
beforeEach(async () => {
  simulation = new Simulation(notesPlatform);
  server = await listen(0, handlerOf(simulation));
});
afterEach(() => server.close());

async function call(method: string, path: string, body?: string, headers: Record<string, string> = { authorization: "ann" }) {
  const response = await fetch(`${server.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

describe("the machine", () => {
  it.each([
    ["GET", "/notes/first%20of%201?a=b", undefined, 200, { known: true }],
    ["GET", "/notes/other", undefined, 200, { known: false }],
    ["GET", "/notes/%ZZ", undefined, 200, { known: false }],
    ["GET", "/notes/secret", "{", 404, { error: "hidden" }],
    ["GET", "/notes/torn", undefined, 410, { error: "torn" }],
    ["GET", "/notes/", undefined, 404, { error: "path" }],
    ["GET", "/notes/a/b", undefined, 404, { error: "path" }],
    ["DELETE", "/notes/a", undefined, 404, { error: "path" }],
    ["POST", "/notes", '{"text":"new"}', 201, { text: "new" }],
    ["POST", "/notes", '{"text":null}', 201, { text: null }],
    ["POST", "/old-notes", '{"text":5}', 422, { error: "type" }],
    ["POST", "/notes", "", 422, { error: "required" }],
    ["POST", "/notes", "{", 400, { error: "syntax" }],
    ["POST", "/notes", "[]", 400, { error: "object" }],
  ])("answers %s %s with the body %s", async (method, path, text, status, body) => {
    // Fetch allows no body in a GET.
    expect(await call(method, path, method === "GET" ? undefined : text)).toMatchObject({ status, body });
  });

  it("counts requests and quota, and refuses when the quota is used up; a free route takes nothing", async () => {
    const left: (string | null)[] = [];
    for (const path of ["/quota", "/notes/a", "/notes/b", "/notes/c"]) left.push((await call("GET", path)).headers.get("x-left"));
    expect(left).toEqual(["3", "2", "1", "0"]);
    expect(await call("GET", "/notes/d")).toMatchObject({ status: 429, body: { error: "ann: no more rest" } });
    expect((await call("GET", "/quota")).body).toEqual({ left: 0 });
    expect((await call("GET", "/notes/d", undefined, { authorization: "bob" })).headers.get("x-serial")).toBe("7");
    expect(await call("GET", "/notes/d", undefined, {})).toMatchObject({ status: 401, body: { error: "who?" } });
    expect([simulation.requests.length, simulation.arrived]).toEqual([8, 8]);
  });

  it("lets faults strike in order: instead of the work, after it, and late", async () => {
    const { faults, world } = simulation;
    faults.add({ kind: "answer", answer: (api, { name }) => json(503, { error: `${api} ${name}` }), skip: 1 });
    faults.add({ kind: "change", change: () => dropped });
    faults.add({ kind: "answer", answer: () => json(500, {}), above: 5, times: Number.POSITIVE_INFINITY });
    faults.add({ kind: "answer", answer: () => json(500, {}), on: "graphql" });
    await expect(call("POST", "/notes", '{"text":"written"}')).rejects.toThrow();
    expect(world.notes).toContain("written");
    expect(await call("POST", "/notes", '{"text":"lost"}')).toMatchObject({ status: 503, body: { error: "rest ann" } });
    expect(world.notes).not.toContain("lost");
    faults.add({ kind: "slow", ms: 60 });
    const started = performance.now();
    expect((await call("GET", "/quota")).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(55);
    const held = Promise.withResolvers<void>();
    faults.add({ kind: "held", until: held.promise });
    const ended: string[] = [];
    const late = call("GET", "/quota").then(() => ended.push("held"));
    expect((await call("GET", "/quota")).status).toBe(200);
    ended.push("next");
    held.resolve();
    await late;
    expect(ended).toEqual(["next", "held"]);
  });

  it("puts everything back on reset, into the same objects", async () => {
    const { world, requests } = simulation;
    await call("POST", "/notes", '{"text":"new"}');
    simulation.faults.add({ kind: "slow", ms: 60_000 });
    simulation.reset();
    expect(simulation.world).toBe(world);
    expect([world.notes, requests, simulation.arrived]).toEqual([["first of 1"], [], 0]);
    expect((await call("GET", "/quota")).body).toEqual({ left: 3 });
    expect(new Simulation(notesPlatform, 7).world.notes).toEqual(["first of 7"]);
  });

  it("answers a bug of its own with 501, which no platform does, and goes on", async () => {
    const written = vi.spyOn(console, "error").mockImplementation(() => undefined);
    // The response has no stack: callers of a service read it. Whoever looks for the bug finds one in standard error.
    const body = { message: "the simulated platform failed: Error: a bug" };
    expect(await call("GET", "/notes/bug")).toMatchObject({ status: 501, body });
    expect(written.mock.calls).toEqual([[expect.objectContaining({ message: "a bug" })]]);
    written.mockRestore();
    expect((await call("GET", "/quota")).status).toBe(200);
  });
});

describe("a simulator in a thread", () => {
  it("takes a free port, because there may be several", async () => {
    process.env["SIMULATOR_PORT"] = new URL(server.url).port;
    const simulator = await startSimulator(new URL("../support/broken-simulator.ts", import.meta.url));
    delete process.env["SIMULATOR_PORT"];
    expect(simulator.rest).not.toBe(server.url);
    await simulator.close();
  });

  it("that cannot load its platform says so to every request", async () => {
    const simulator = await startSimulator(new URL("../support/broken-simulator.ts", import.meta.url));
    expect(simulator).toMatchObject({ token: "none", graphql: undefined });
    for (const path of ["/", "/user"]) {
      const response = await fetch(`${simulator.rest}${path}`);
      expect([response.status, await response.text()]).toEqual([501, expect.stringMatching(/the data set is spoilt"}$/)]);
    }
    await simulator.close();
  });

  it("that ends before it listens is an error of the start", async () => {
    const module = new URL("data:text/javascript,export {}");
    await expect(startSimulator(module)).rejects.toThrow("the thread that simulates a platform has ended");
    await expect(startSimulator(new URL("data:text/javascript,throw Error('bad')"))).rejects.toThrow("bad");
  });
});
