import { once } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { type Caller, fullGrant, type Grant } from "../../../runtime/accounts/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import { askChanges, type ChangesOptions, type RequestedChanges, readChanges } from "../../../runtime/server/changes.ts";
import { changeStreamRoute } from "../../../runtime/server/routes/changes-route.ts";
import { Outflow, Streams } from "../../../runtime/server/streamed.ts";
import type { Change } from "../../../runtime/store/change-log.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

const change = (sequence: number, entity: string): Change => {
  return { sequence, entity, key: `k${sequence}`, scope: "all", kind: "created", fields: [], at: 0 };
};

/** A log that grows with each read of it. */
function growing(made: (reads: number) => readonly Change[]) {
  let reads = 0;
  const changes = async (_place: object, { from, limit }: { from: number; limit: number }) => {
    if (++reads > 200) throw new Error("it is read on and on");
    const all = made(reads);
    const some = all.filter(({ sequence }) => sequence >= from).slice(0, limit);
    const position = (some.at(-1)?.sequence ?? all.length - 1) + 1;
    return { log: "l", first: 0, next: all.length, changes: some, position: Math.max(from > 1e9 ? 0 : from, position) };
  };
  const { instance } = fakeInstance(() => ({}));
  return { instances: new Map([["github", { ...instance, store: { changes } } as never]]), reads: () => reads };
}

const usage = { measure: <Result>(work: () => Result) => work(), check: async () => undefined, spend: () => undefined };

function optionsOf(instances: Map<string, never>): ChangesOptions {
  const gate = { closed: new AbortController().signal, closing: false, answered: () => undefined };
  return { instances: { instances }, limits: { of: () => usage }, gate } as never;
}

/** A caller whose grant is the next one with each look. */
function asked(grants: readonly Partial<Grant>[]): RequestedChanges {
  let looks = 0;
  const caller = (): Caller => {
    const grant = { ...fullGrant, ...grants[Math.min(looks++, grants.length - 1)] };
    return { id: "k", name: "k", grant };
  };
  const trace = { checked: () => undefined } as never;
  return { caller, connectorId: "github", organization: undefined, signal: new AbortController().signal, trace };
}

describe("a page of changes", () => {
  const { instances } = growing(() => [change(0, "issues"), change(1, "branches")]);
  const read = async (...grants: Partial<Grant>[]) => {
    const own = asked([{}, ...grants]);
    const options = optionsOf(instances);
    const { data } = await readChanges(options, own, await askChanges(options, own, {}));
    return data.map(({ entity }) => entity);
  };

  it("has only what its caller may still read when it is made", async () => {
    expect(await read({}, {})).toEqual(["issues", "branches"]);
    expect(await read({}, { entities: ["branches"] })).toEqual(["branches"]);
    await expect(read({}, { instances: ["other"] })).rejects.toMatchObject({ code: "unknown_connector" });
    await expect(read({}, { rights: ["write"] })).rejects.toMatchObject({ code: "forbidden" });
  });
});

/** A response whose caller reads only when told to. */
function slowResponse(id = "k") {
  const body = new PassThrough({ highWaterMark: 64 });
  const more = { app: { locals: {} }, locals: { requestId: "r", caller: { id } }, writeHead: () => undefined };
  return Object.assign(body, more);
}

describe("a stream of changes", () => {
  const request = { method: "GET", url: "/changes/stream", headers: {}, params: { connectorId: "github" } };
  const recheck = async () => ({ id: "k", name: "k", grant: fullGrant });
  const own = () => ({ recheck, streams: new Streams() });

  it("reads the next page only when its caller has taken the last one", async () => {
    const { instances, reads } = growing((count) => Array.from({ length: count * 100 }, (_, index) => change(index, "issues")));
    const response = slowResponse();
    void changeStreamRoute({ ...optionsOf(instances), ...own() })(request as never, response as never, () => undefined);
    await expect.poll(() => response.readableLength).toBeGreaterThan(0);
    const before = reads();
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect([before <= 2, reads()]).toEqual([true, before]);
    for (let taken = 0; reads() < before + 3; taken++) {
      if (taken > 1_000) throw new Error("the stream does not go on");
      response.read();
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.destroy();
  });

  it("ends with an error when its caller has used up a limit", async () => {
    const { instances } = growing((reads) => Array.from({ length: reads }, (_, index) => change(index, "issues")));
    let left = 2;
    const check = async () => {
      if (left-- === 0) throw new TenonError("too_many_requests", "Too much.", { retryAfter: 1 });
    };
    const response = slowResponse();
    let text = "";
    response.on("data", (piece) => (text += String(piece)));
    const ended = once(response, "end");
    const options = { ...optionsOf(instances), limits: { of: () => ({ ...usage, check }) } as never, ...own() };
    void changeStreamRoute(options)(request as never, response as never, () => undefined);
    await ended;
    expect([...text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)).toEqual(["change", "change", "error"]);
    expect(text).toContain('"code":"too_many_requests"');
  });

  it("is refused to who has half of all, so that others get theirs, and begins when one of them has ended", async () => {
    const { instances } = growing(() => []);
    const waiting = new Promise<never>(() => undefined);
    const limits = { of: () => ({ ...usage, check: () => waiting }) } as never;
    const route = changeStreamRoute({ ...optionsOf(instances), limits, recheck, streams: new Streams(8) });
    const open = (id: string) => {
      const response = slowResponse(id);
      return { response, ended: route(request as never, response as never, () => undefined) };
    };
    const [first, ...others] = Array.from({ length: 4 }, () => open("hog"));
    const refused = { code: "overloaded", retryAfter: 10 };
    await expect(open("hog").ended).rejects.toMatchObject(refused);
    const begun = [open("other"), open("third")];
    for (const { response } of begun) await expect.poll(() => String(response.read() ?? "")).toContain(": connected");
    first?.response.destroy();
    await once(first?.response ?? new PassThrough(), "close");
    await expect(open("hog").ended).rejects.toMatchObject(refused);
    for (const { response } of others) response.destroy();
    const last = others.at(-1);
    await once(last?.response ?? new PassThrough(), "close");
    const again = open("hog");
    await expect.poll(() => String(again.response.read() ?? "")).toContain(": connected");
    for (const { response } of [...begun, again]) response.destroy();
  });

  it("takes no place where its caller has gone before it begins", () => {
    const streams = new Streams(1);
    const gone = slowResponse();
    Object.defineProperty(gone, "closed", { value: true });
    streams.open("k", gone as never);
    expect(() => streams.open("other", slowResponse() as never)).not.toThrow();
    expect(() => streams.open("third", slowResponse() as never)).toThrow("Too many streams");
  });

  it("has a sign of life every 15 seconds while nothing changes", async () => {
    vi.useFakeTimers();
    // The real one does not follow the clock of the test.
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const end = new AbortController();
      setTimeout(() => end.abort(), ms);
      return end.signal;
    });
    const response = slowResponse();
    let text = "";
    response.on("data", (piece) => (text += String(piece)));
    try {
      const { instance } = fakeInstance(() => ({}));
      const changes = async () => ({ log: "l", first: 0, next: 0, changes: [], position: 0 });
      const instances = new Map([["github", { ...instance, store: { changes } } as never]]);
      void changeStreamRoute({ ...optionsOf(instances), ...own() })(request as never, response as never, () => undefined);
      const signs: number[] = [];
      for (let second = 1; second <= 3 * 15 + 1; second++) {
        await vi.advanceTimersByTimeAsync(1_000);
        signs.push(text.split(": heartbeat").length - 1);
      }
      expect([signs[13], signs[15], signs[30], signs[45]]).toEqual([0, 1, 2, 3]);
      expect(text.startsWith(": connected\n\n")).toBe(true);
    } finally {
      response.destroy();
      vi.restoreAllMocks();
      vi.useRealTimers();
    }
  });

  it("of MCP lets whoever fills it wait until its caller has taken all", async () => {
    const response = slowResponse();
    const outflow = new Outflow(response as never);
    const { readable, writable } = new TransformStream<Uint8Array>(undefined, { highWaterMark: 100 }, { highWaterMark: 100 });
    void outflow.send(readable);
    const writer = writable.getWriter();
    for (let count = 0; count < 20; count++) void writer.write(Buffer.alloc(100));
    let isDry = false;
    const dry = outflow.drained().then(() => {
      isDry = true;
    });
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(isDry).toBe(false);
    response.resume();
    await dry;
    response.destroy();
    await outflow.drained();
  });
});
