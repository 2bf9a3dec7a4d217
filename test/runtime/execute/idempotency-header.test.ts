import { pino } from "pino";
import { describe, expect, it } from "vitest";
import type { Connector } from "../../../runtime/contract/index.ts";
import { execute } from "../../../runtime/execute/index.ts";
import { type Answerer, fakeInstance, run, unpaced } from "../../support/fake-instance.ts";

// A platform that does a write once, however often it is sent with one key.

const { rest = { url: "" } } = unpaced.platform;
const keyed: Connector = { ...unpaced, platform: { ...unpaced.platform, rest: { ...rest, idempotency: "X-Once" } } };

const create = { entity: "issues", action: "create", params: { owner: "o", repo: "r", title: "t" } };
const issue = { id: 7, number: 1, title: "t" };
const lost = () => Response.json({ message: "Bad gateway" }, { status: 502 });

/** Runs the write on a platform, and gives its end and the keys that it was sent with. */
async function ended(answer: Answerer, idempotencyKey?: string) {
  const { instance, seen } = fakeInstance(answer, "t", keyed);
  const signal = new AbortController().signal;
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  const context = { timeout: 20_000, signal, log: pino({ level: "silent" }), requestId: "test", ...key };
  const end = await execute(instance, create, context).catch((thrown: unknown) => thrown);
  return { end, keys: seen.map(({ headers }) => headers.get("x-once")) };
}

describe("a write on a platform that takes a key for each", () => {
  it("is sent again with the same key when its answer was lost", async () => {
    let calls = 0;
    const { end, keys } = await ended(() => (++calls === 1 ? lost() : issue));
    expect(end).toMatchObject({ data: { number: 1 } });
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{30,}$/), keys[0]]);
  });

  it("is in doubt when no try had a response", async () => {
    const { end, keys } = await ended(lost);
    expect(end).toMatchObject({ code: "write_in_doubt" });
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
  });

  it("was not done when a later try is refused for good", async () => {
    let calls = 0;
    const { end } = await ended(() => (++calls === 1 ? lost() : Response.json({ message: "no" }, { status: 422 })));
    expect(end).toMatchObject({ code: "platform_rejected" });
  });

  it("has the same key when its caller repeats it, another one for another caller, and each time one without the caller's", async () => {
    const sent = async (key?: string) => (await ended(() => issue, key)).keys[0];
    const first = await sent("a of ana");
    expect(await sent("a of ana")).toBe(first);
    expect(first).not.toContain("ana");
    expect(new Set([first, await sent("a of ben"), await sent(), await sent()]).size).toBe(4);
  });

  it("has no key where the platform takes none", async () => {
    const { instance, seen } = fakeInstance(() => issue);
    await run(instance, create);
    expect(seen[0]?.headers.has("x-once")).toBe(false);
  });
});
