import { describe, expect, it, vi } from "vitest";
import { streamEvents } from "../../../runtime/mcp/event-stream.ts";
import type { ToolHost } from "../../../runtime/mcp/host.ts";
import { shaped, standIn } from "../../support/shaped.ts";

describe("a stream of events", () => {
  it("has a sign of life with its place whenever a wait of half a minute at most brings none", async () => {
    const cursors = ["c0", "c1", "c2"];
    const waits: number[] = [];
    const next = async (wait: number) => {
      waits.push(wait);
      const cursor = cursors.shift();
      return cursor === undefined ? undefined : { data: [], meta: { cursor, has_more: false, truncated: false } };
    };
    const said: unknown[] = [];
    await streamEvents(
      standIn<ToolHost>({ watch: async () => ({ next }) }),
      {
        connectorId: "github",
        event: "github.issues.changed",
        query: { entity: "issues", cursor: "latest" },
        maxAgeMs: undefined,
      },
      {
        signal: new AbortController().signal,
        say: async (what, params) => void said.push([what, params["cursor"]]),
        occurrence: () => ({}),
        failure: () => ({ error: {}, isEnd: true }),
      },
    );
    expect(said).toEqual([
      ["active", "c0"],
      ["heartbeat", "c1"],
      ["heartbeat", "c2"],
    ]);
    expect([waits[0], waits.slice(1).every((wait) => wait > 0 && wait <= 30)]).toEqual([0, true]);
  });

  it("goes on five seconds after an error that is not its end, which it says", async () => {
    vi.useFakeTimers();
    try {
      const began = Date.now();
      const results: (() => object | undefined)[] = [
        () => ({ data: [], meta: { cursor: "c0" } }),
        () => {
          throw new Error("the store is away");
        },
        () => ({ data: [], meta: { cursor: "c1" } }),
        () => undefined,
      ];
      const next = async () => results.shift()?.();
      const said: unknown[] = [];
      const ended = streamEvents(
        shaped<ToolHost>({ watch: async () => ({ next }) }),
        { connectorId: "github", event: "github.issues.changed", query: { cursor: "latest" }, maxAgeMs: undefined },
        {
          signal: new AbortController().signal,
          say: async (what, params) => void said.push([Date.now() - began, what, params]),
          occurrence: () => ({}),
          failure: (thrown) => ({ error: { message: String(thrown) }, isEnd: false }),
        },
      );
      await vi.advanceTimersByTimeAsync(10_000);
      await ended;
      expect(said).toEqual([
        [0, "active", { cursor: "c0", truncated: false }],
        [0, "error", { error: { message: "Error: the store is away" } }],
        [5_000, "heartbeat", { cursor: "c1" }],
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("says nothing more when its client has cancelled it", async () => {
    const cancelled = new AbortController();
    const next = async (wait: number) => {
      if (wait === 0) return { data: [], meta: { cursor: "c0" } };
      cancelled.abort();
      throw cancelled.signal.reason;
    };
    const said: string[] = [];
    await streamEvents(
      shaped<ToolHost>({ watch: async () => ({ next }) }),
      { connectorId: "github", event: "github.issues.changed", query: { cursor: "latest" }, maxAgeMs: undefined },
      {
        signal: cancelled.signal,
        say: async (what) => void said.push(what),
        occurrence: () => ({}),
        failure: () => ({ error: {}, isEnd: false }),
      },
    );
    expect(said).toEqual(["active"]);
  });
});
