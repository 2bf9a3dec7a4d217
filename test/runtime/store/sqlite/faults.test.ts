import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database, { SqliteError } from "better-sqlite3";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { Catalogue } from "../../../../runtime/store/sqlite/catalogue.ts";
import { Writer } from "../../../../runtime/store/sqlite/writer.ts";
import { type Dump, dump, faultsOf } from "../../../e2e/support/dump.ts";

// A statement of the engine fails, one after the other in turn: whatever the writer was doing has then happened wholly or not at all.

const people: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    name: { type: "string", index: "name", nullable: true },
    about: { type: "string", index: "text", nullable: true },
    labels: { type: "string", index: "name", list: { by: ["name"] } },
    team: { type: "string", index: "exact", list: { relation: true } },
  },
};
const red = { connector: "test", instance: "one", entity: "people", scope: "team=red" };
const blue = { ...red, scope: "team=blue" };
const position = (pass: number, full = true) => ({ pass, full, step: 0 });
const person = (id: string, team: string, label = "new") => ({
  id,
  name: `Name of ${id}`,
  about: `Everything about ${id} and ${label}`,
  labels: [{ name: label }, { name: "person" }],
  team: [team],
});

const codes = ["SQLITE_IOERR", "SQLITE_FULL", "SQLITE_BUSY"];
/** Statements until one fails; a negative number: none does. */
let left = -1;
const failing = () => {
  if (left < 0 || left-- > 0) return;
  left = -1;
  throw new SqliteError("a fault of the test", codes[calls++ % codes.length] ?? "SQLITE_IOERR");
};
let calls = 0;

const folder = mkdtempSync(join(tmpdir(), "tenon-faults-"));
const base = join(folder, "base.sqlite");
const undo: (() => void)[] = [];

beforeAll(() => {
  const db = new Database(":memory:");
  const statements: object = Object.getPrototypeOf(db.prepare("SELECT 1"));
  for (const [owner, names] of [
    [statements, ["run", "get", "all", "iterate"]],
    [Object.getPrototypeOf(db), ["exec", "pragma"]],
  ] as const)
    for (const name of names) {
      const before = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
      Reflect.set(owner, name, function (this: unknown, ...args: unknown[]) {
        failing();
        return before.apply(this, args);
      });
      undo.push(() => Reflect.set(owner, name, before));
    }
  db.close();
  const writer = open(base);
  writer.save(red, { records: ["a", "b", "c"].map((id) => person(id, "red")), position: position(1) });
  writer.finish(red, position(1), { massDelete: false, parents: [] });
  writer.save(blue, {
    records: ["b", "c", "d"].map((id) => person(id, "blue")),
    parent: "p",
    parentDone: { key: "p", mark: "m" },
    position: position(1),
  });
  writer.finish(blue, position(1), { massDelete: false, parents: [] });
  writer.close();
});

afterEach(() => {
  left = -1;
});

afterAll(() => {
  for (const one of undo) one();
  rmSync(folder, { recursive: true, force: true });
});

function open(file: string): Writer {
  return new Writer(file, new Catalogue({ test: { people } }), () => undefined);
}

/** Does the work on a copy of the base, with a fault at one statement. @param at the number of the statement, or -1 for no fault */
function attempt(
  work: (writer: Writer) => void,
  at: number,
): { readonly failed: boolean; readonly stored: Dump; readonly again: Dump } {
  const file = join(folder, "copy.sqlite");
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  cpSync(base, file);
  const writer = open(file);
  let failed = false;
  try {
    left = at;
    work(writer);
  } catch {
    failed = true;
  } finally {
    left = -1;
  }
  const stored = dump(file);
  // What the writer keeps in memory must not be ahead of the file: the same work is done again with it.
  if (failed) work(writer);
  const again = dump(file);
  writer.close();
  expect(faultsOf(file)).toEqual([]);
  return { failed, stored, again };
}

const works: readonly (readonly [string, (writer: Writer) => void])[] = [
  [
    "saving a page with new, changed, moved and unchanged records",
    (writer) => {
      const records = [person("e", "red", "fresh words"), person("a", "red", "changed"), person("d", "red"), person("b", "red")];
      writer.save(red, { records, parent: "q", parentDone: { key: "q", mark: "n" }, position: position(2) });
    },
  ],
  [
    "finishing a pass that removes records and memberships",
    (writer) => {
      const before = writer.states(red).find(({ scope }) => scope === blue.scope)?.pass ?? 0;
      if (before < 2) writer.save(blue, { records: [person("b", "blue")], parent: "p", position: position(2) });
      writer.finish(blue, position(2), { massDelete: true, parents: [] });
    },
  ],
  [
    "saving what is known of a hidden parent together with the page of another",
    (writer) => {
      const hidden = { records: [], parent: "p", parentDone: { key: "p", mark: "n", hidden: true as const } };
      const shown = { records: [person("d", "blue")], parent: "q", parentDone: { key: "q", mark: "n" } };
      writer.save(blue, { ...hidden, others: [shown], position: position(2) });
    },
  ],
  ["forgetting a scope", (writer) => void writer.forgetSome(red, blue.scope)],
  ["noting a failure", (writer) => writer.fail(red, "rate_limited")],
  ["abandoning a pass", (writer) => writer.abandon(blue, "partial_results")],
];

describe("a fault of the storage", () => {
  it.each(works)("leaves the old or the new state, never another: %s", (_title, work) => {
    const old = dump(base);
    const next = attempt(work, -1).stored;
    expect(next).not.toEqual(old);
    // Between two steps of a work that is not one transaction, the state may be that of the first step.
    const steps = new Set([JSON.stringify(old), JSON.stringify(next)]);
    let faults = 0;
    for (let at = 0; ; at++) {
      const { failed, stored, again } = attempt(work, at);
      if (!failed) break;
      faults++;
      if (!steps.has(JSON.stringify(stored))) expect(isStep(work, stored), `after a fault at statement ${at}`).toBe(true);
      expect(again, `after the work was done again because of a fault at statement ${at}`).toEqual(next);
    }
    expect(faults).toBeGreaterThan(2);
  });
});

/** The one work of two transactions is the finish, before which a page is saved. */
function isStep(work: (writer: Writer) => void, stored: Dump): boolean {
  if (work !== works[1]?.[1]) return false;
  const saved = attempt(
    (writer) => void writer.save(blue, { records: [person("b", "blue")], parent: "p", position: position(2) }),
    -1,
  );
  return JSON.stringify(saved.stored) === JSON.stringify(stored);
}
