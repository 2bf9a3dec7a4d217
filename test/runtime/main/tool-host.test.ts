import { describe, expect, it } from "vitest";
import type { ActionAccess } from "../../../runtime/main/access.ts";
import { toolHost } from "../../../runtime/main/tool-host.ts";

/** An access whose feed has a page for each cursor: "c1", "c2" and so on. */
function hostOf() {
  const asked: unknown[] = [];
  const never = async () => expect.fail("nothing else is called");
  const access: ActionAccess = {
    ...{ hosted: false, execute: never, instances: never, writes: () => false, close: async () => undefined },
    changes: async (id, query, call) => {
      asked.push([id, query, call?.signal?.aborted]);
      return { data: [], meta: { cursor: `c${asked.length}` } };
    },
  };
  return { host: toolHost(access, [], { writes: false }), asked };
}

describe("tools without a service", () => {
  it("read the change feed, and end with their call", async () => {
    const { host, asked } = hostOf();
    const { signal } = new AbortController();
    expect(await host.changes("mine", { cursor: "c0" }, { signal })).toEqual({ data: [], meta: { cursor: "c1" } });
    expect(asked).toEqual([["mine", { cursor: "c0" }, false]]);
  });

  it("follow the change feed from page to page, until their client has gone", async () => {
    const { host, asked } = hostOf();
    const gone = new AbortController();
    const feed = await host.watch("mine", { cursor: "c0", entity: "issues" }, { signal: gone.signal });
    expect((await feed.next(0))?.meta).toEqual({ cursor: "c1" });
    expect((await feed.next(20))?.meta).toEqual({ cursor: "c2" });
    gone.abort();
    expect(await feed.next(20)).toBeUndefined();
    expect(asked).toEqual([
      ["mine", { entity: "issues", cursor: "c0" }, false],
      ["mine", { entity: "issues", cursor: "c1", wait: 20 }, false],
    ]);
  });
});
