import { describe, expect, it, vi } from "vitest";
import type { Page, PageResult } from "../../../runtime/store/store.ts";
import { PageQueue } from "../../../runtime/sync/page-queue.ts";

/** A store that saves a page only when it is told to. */
function heldStore() {
  const pages: Page[] = [];
  const held: PromiseWithResolvers<PageResult>[] = [];
  const queue = new PageQueue((page) => {
    pages.push(page);
    held.push(Promise.withResolvers());
    return held.at(-1)?.promise ?? Promise.reject(new Error("never"));
  });
  return { pages, held, queue };
}

const page = (id: string, step = 0, more: Partial<Page> = {}): Page => ({
  records: [{ id }],
  checkpoint: { run: 1, full: true, step, after: id },
  ...more,
});
const result = { inserted: 1, changed: 2, unchanged: 3, repeated: 4 };
const idsOf = ({ records, others = [] }: Page) => [{ records }, ...others].map((list) => list.records.map(({ id }) => id).join());
/** Lets everything run that waits for nothing. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the pages of a sync run", () => {
  it("are saved at once where the store is free, and together where they were read meanwhile", async () => {
    const { pages, held, queue } = heldStore();
    for (const id of ["a", "b", "c"]) await queue.add(page(id));
    expect(pages.map(idsOf)).toEqual([["a"]]);
    held[0]?.resolve(result);
    await turn();
    expect(pages.map(idsOf)).toEqual([["a"], ["b", "c"]]);
    expect(pages.map(({ checkpoint }) => checkpoint.after)).toEqual(["a", "c"]);
    await queue.add(page("d"));
    const saved = queue.saved();
    held[1]?.resolve(result);
    await turn();
    held[2]?.resolve(result);
    expect(await saved).toEqual({ inserted: 3, changed: 6, unchanged: 9, repeated: 12 });
    expect(pages.map(idsOf)).toEqual([["a"], ["b", "c"], ["d"]]);
  });

  it("keep their lists, with the parents and what is done, in their order", async () => {
    const { pages, held, queue } = heldStore();
    await queue.add(page("a"));
    const done = (key: string) => ({ parent: key, parentDone: { key, marker: null } });
    await queue.add(page("b", 0, { ...done("p"), others: [{ records: [{ id: "c" }], ...done("q") }] }));
    await queue.add(page("d", 0, { parent: "r" }));
    held[0]?.resolve(result);
    await turn();
    expect(pages[1]).toEqual({
      ...page("d"),
      records: [{ id: "b" }],
      ...done("p"),
      others: [
        { records: [{ id: "c" }], ...done("q") },
        { records: [{ id: "d" }], parent: "r" },
      ],
    });
  });

  it("of two steps are saved apart, because markers of parents belong to a step", async () => {
    const { pages, held, queue } = heldStore();
    for (const [id, step] of [
      ["a", 0],
      ["b", 0],
      ["c", 1],
      ["d", 1],
    ] as const)
      await queue.add(page(id, step));
    for (const at of [0, 1, 2]) {
      held[at]?.resolve(result);
      await turn();
    }
    expect(pages.map(idsOf)).toEqual([["a"], ["b"], ["c", "d"]]);
    expect(pages.map(({ checkpoint }) => checkpoint.step)).toEqual([0, 0, 1]);
  });

  it.each([
    ["records", () => page("b", 0, { records: Array.from({ length: 4_000 }, (_, id) => ({ id: `${id}` })) })],
    ["lists without records", () => page("b", 0, { others: Array.from({ length: 4_000 }, () => ({ records: [] })) })],
    ["long texts", () => page("b", 0, { records: [{ id: "b", inner: [{ text: "x".repeat(17 * 1024 * 1024) }] }] })],
  ])("wait for the store when there are many %s", async (_what, many) => {
    const { pages, held, queue } = heldStore();
    await queue.add(page("a"));
    let taken = false;
    const adding = queue.add(many()).then(() => {
      taken = true;
    });
    await turn();
    expect(taken).toBe(false);
    held[0]?.resolve(result);
    await adding;
    expect(pages.length).toBe(2);
    await queue.add(page("c"));
  });

  it("are fewer together where the store is slow", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const { pages, held, queue } = heldStore();
      const ofFive = (id: number) => page(`${id}`, 0, { records: Array.from({ length: 5 }, () => ({ id })) });
      await queue.add(ofFive(0));
      for (let id = 1; id <= 300; id++) await queue.add(ofFive(id));
      // Six records and lists in a minute: far too few of them would fit into a transaction.
      vi.advanceTimersByTime(60_000);
      for (let at = 0; at < 5; at++) {
        held[at]?.resolve(result);
        await turn();
      }
      // So 500 are saved together, then as many as were read.
      expect(pages.map(({ others = [] }) => 1 + others.length)).toEqual([1, 83, 217]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("are not saved after one that could not be saved, whatever is added later", async () => {
    const { pages, held, queue } = heldStore();
    for (const id of ["a", "b"]) await queue.add(page(id));
    held[0]?.reject(new Error("the disk is full"));
    await turn();
    await expect(queue.add(page("c"))).rejects.toThrow("the disk is full");
    await expect(queue.saved()).rejects.toThrow("the disk is full");
    expect(pages.map(idsOf)).toEqual([["a"]]);
  });
});
