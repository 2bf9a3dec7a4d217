import { expect, it } from "vitest";
import type { StoredWrite, WriteStore } from "../../../runtime/accounts/index.ts";
import { writeOnce } from "../../../runtime/policy/index.ts";
import { jsonWork } from "../../support/parsed-here.ts";
import { standIn } from "../../support/shaped.ts";

it("the record of a write is made JSON once, and a repetition passes it on as it was stored", async () => {
  let known: StoredWrite | undefined;
  const store = standIn<WriteStore>({
    beginWrite: async (write) => {
      const before = known;
      known ??= { ...write, state: "begun", answer: null };
      return before;
    },
    endWrite: async (_id, _owner, end) => {
      if (known !== undefined && end.state === "done") known = { ...known, ...end };
    },
  });
  // Members of these names are in the record and in the metadata too.
  const data = { title: "t".repeat(10_000), meta: { data: null, meta: [',"meta":{}}'] } };
  const meta = { quota: { left: 1, meta: { meta: 1 } } };
  const once = () =>
    writeOnce(store, { caller: "k", key: "1", request: [], timeout: 1000, signal: new AbortController().signal }, async () => ({
      data,
      meta,
    }));
  const first = await once();
  const { parsed, made } = await jsonWork(async () => {
    const again = await once();
    expect(again.replayed).toBe(true);
    expect(again.result.json).toEqual(first.result.json);
    expect(again.result.meta).toEqual({ ...meta, replayed: true });
  });
  expect(Math.max(parsed, made)).toBeLessThan(1000);
  expect(first).toMatchObject({ replayed: false, result: { data, meta } });
  expect(first.result.meta).toEqual(meta);
  expect(JSON.parse(Buffer.from(first.result.json ?? []).toString())).toEqual(data);
});

it("a write without a record has null for it", async () => {
  const store = standIn<WriteStore>({ beginWrite: async () => undefined, endWrite: async () => undefined });
  const request = { caller: "k", key: "1", request: [], timeout: 1000, signal: new AbortController().signal };
  const { result } = await writeOnce(store, request, async () => ({ data: undefined, meta: {} }));
  expect(Buffer.from(result.json ?? []).toString()).toBe("null");
});
