import { expect } from "vitest";
import { mostHints } from "../../../runtime/accounts/hint-store.ts";
import { type Case, hint } from "./case.ts";

export const webhooks: readonly Case[] = [
  [
    "takes a delivery once, and keeps its hints until they are followed",
    async (store, another) => {
      const delivery = { instance: "github", id: "1", hints: [hint("b"), hint("a"), hint("b")] };
      expect(await store.addHints([delivery, { ...delivery, id: "2", hints: [] }, delivery], 1_000, 0)).toEqual([
        true,
        true,
        false,
      ]);
      expect(await (await another()).addHints([delivery, { ...delivery, instance: "other", hints: [] }], 1_001, 0)).toEqual([
        false,
        true,
      ]);
      expect(await store.dueHints(999, 10)).toEqual([]);
      const due = await store.dueHints(1_000, 10);
      const stored = { version: 1, at: 1_000, tries: 0 };
      expect(due).toEqual([
        { ...hint("a"), ...stored },
        { ...hint("b"), ...stored },
      ]);
      expect(await store.waitingHints()).toEqual([{ instance: "github", hints: 2, oldest: 1_000 }]);
      await store.endHints(due);
      expect(await store.waitingHints()).toEqual([]);
      expect(await store.toldScopes("github", 1_000)).toEqual([{ instance: "github", scope: "a=b", at: 1_000 }]);
      expect(await store.toldScopes("github", 1_001)).toEqual([]);
    },
  ],
  [
    "keeps a hint that comes again while it is followed",
    async (store) => {
      await store.addHints([{ instance: "github", id: "1", hints: [hint("a")] }], 1_000, 0);
      const due = await store.dueHints(1_000, 10);
      await store.addHints([{ instance: "github", id: "2", hints: [hint("a", { params: '{"number":2}' })] }], 1_500, 0);
      await store.endHints(due);
      const again = await store.dueHints(2_000, 10);
      expect(again).toEqual([{ ...hint("a", { params: '{"number":2}' }), version: 2, at: 1_000, tries: 0 }]);
      await store.postponeHints(again, 5_000, true);
      expect(await store.dueHints(4_999, 10)).toEqual([]);
      expect(await store.dueHints(5_000, 10)).toMatchObject([{ tries: 1 }]);
      await store.postponeHints(again, 6_000, false);
      expect(await store.dueHints(6_000, 10)).toMatchObject([{ tries: 1 }]);
    },
  ],
  [
    "keeps a hint about what belongs to a record until the record itself is read",
    async (store) => {
      const of = (key: string) => hint(key, { entity: "comments", kind: "parent" });
      await store.addHints(
        [{ instance: "github", id: "1", hints: [hint("a"), of("a"), of("b"), hint("b", { scope: "c=d" })] }],
        1_000,
        0,
      );
      const due = await store.dueHints(1_000, 10);
      const named = (some: typeof due, ...keys: string[]) =>
        some.filter(({ scope, kind, key }) => keys.includes(`${scope} ${kind} ${key}`));
      await store.postponeHints(named(due, "a=b key a"), 9_000, true);
      await store.endHints(named(due, "a=b parent a", "a=b parent b", "c=d key b"));
      expect(await store.dueHints(8_999, 10)).toEqual([]);
      const later = await store.dueHints(9_000, 10);
      expect(later.map(({ kind, key, tries }) => [kind, key, tries])).toEqual([
        ["parent", "a", 0],
        ["key", "a", 1],
      ]);
      await store.endHints(later);
      expect(await store.waitingHints()).toEqual([]);
    },
  ],
  [
    "forgets old deliveries",
    async (store) => {
      const delivery = { instance: "github", id: "1", hints: [] };
      await store.addHints([delivery], 1_000, 0);
      expect(await store.addHints([delivery], 2_000, 1_000)).toEqual([false]);
      expect(await store.addHints([delivery], 2_000, 1_001)).toEqual([true]);
    },
  ],
  [
    "keeps one hint for each scope where too many wait",
    async (store) => {
      const many = Array.from({ length: mostHints }, (_, index) => hint(`k${index}`));
      await store.addHints([{ instance: "github", id: "1", hints: many }], 1_000, 0);
      const more = [hint("x"), hint("y"), hint("z", { scope: "c=d" }), hint("z", { instance: "other" })];
      await store.addHints(
        more.map((one, index) => ({ instance: one.instance, id: `m${index}`, hints: [one] })),
        900,
        0,
      );
      expect(await store.dueHints(999, 10)).toMatchObject([
        { scope: "a=b", entity: "", kind: "scope", key: "" },
        { scope: "c=d", entity: "", kind: "scope", key: "" },
        { instance: "other", kind: "key", key: "z" },
      ]);
    },
  ],
];
