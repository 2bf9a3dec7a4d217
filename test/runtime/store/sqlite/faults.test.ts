import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database, { SqliteError } from "better-sqlite3";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { Catalogue } from "../../../../runtime/store/sqlite/tables/catalogue.ts";
import { Writer } from "../../../../runtime/store/sqlite/write/writer.ts";
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
const checkpoint = (run: number, full = true) => ({ run, full, step: 0 });
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

/** How many records a scope must have to be loaded without indexes. */
const bulk = 4;
const green = { ...red, scope: "team=green" };

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
  writer.save(red, { records: ["a", "b", "c"].map((id) => person(id, "red")), checkpoint: checkpoint(1) });
  writer.finish(red, checkpoint(1), { massDelete: false, parents: [] });
  writer.save(blue, {
    records: ["b", "c", "d"].map((id) => person(id, "blue")),
    parent: "p",
    parentDone: { key: "p", marker: "m" },
    checkpoint: checkpoint(1),
  });
  writer.finish(blue, checkpoint(1), { massDelete: false, parents: [] });
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
  return new Writer(file, new Catalogue({ test: { people } }), () => undefined, { bulk });
}

/** Something that the writer does in one transaction or in none. */
type Step = (writer: Writer) => unknown;

interface Attempt {
  readonly failed: boolean;
  readonly stored: Dump;
  readonly again: Dump;
}

/** Does the work on a copy of the base, with a fault at one statement. @param at the number of the statement, or -1 for no fault */
function attempt(before: Step, work: readonly Step[], at: number): Attempt {
  const file = copy();
  const writer = open(file);
  before(writer);
  let failed = false;
  try {
    left = at;
    for (const step of work) step(writer);
  } catch {
    failed = true;
  } finally {
    left = -1;
  }
  const stored = dump(file);
  // What the writer keeps in memory must not be ahead of the file: the same work is done again with it.
  if (failed) for (const step of work) step(writer);
  const again = dump(file);
  writer.close();
  expect(faultsOf(file)).toEqual([]);
  return { failed, stored, again };
}

/** What the file has before the work, and after each of its transactions. */
function statesOf(before: Step, work: readonly Step[]): Dump[] {
  const file = copy();
  const writer = open(file);
  before(writer);
  const states = [dump(file)];
  for (const step of work) {
    step(writer);
    states.push(dump(file));
  }
  writer.close();
  return states;
}

function copy(): string {
  const file = join(folder, "copy.sqlite");
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  cpSync(base, file);
  return file;
}

const nothing: Step = () => undefined;
const many = Array.from({ length: bulk + 2 }, (_, at) => person(`g${at}`, "green", `label-${at}`));

/** Saves a page that belongs to no work. */
const saveBlue = (writer: Writer) =>
  writer.save(blue, { records: [person("b", "blue")], parent: "p", checkpoint: checkpoint(2) });
/** Saves so many records of a scope for the first time that the indexes are dropped, and records after that, which have no words. */
const load: Step = (writer) => {
  writer.save(green, { records: many.slice(0, bulk), checkpoint: checkpoint(1) });
  writer.save(green, { records: many.slice(bulk), checkpoint: checkpoint(1) });
};

/** What is attempted, and what is done before it without a fault. */
const works: readonly { readonly title: string; readonly work: readonly Step[]; readonly before?: Step }[] = [
  {
    title: "saving a page with new, changed, moved and unchanged records",
    work: [
      (writer) => {
        const records = [
          person("e", "red", "fresh words"),
          person("a", "red", "changed"),
          person("d", "red"),
          person("b", "red"),
        ];
        writer.save(red, { records, parent: "q", parentDone: { key: "q", marker: "n" }, checkpoint: checkpoint(2) });
      },
    ],
  },
  {
    title: "saving lists of several parents that were sent in parts, with a record in two of them",
    work: [
      (writer) => {
        const list = (parent: string, ...records: ReturnType<typeof person>[]) => ({
          records,
          parent,
          parentDone: { key: parent, marker: "n" },
        });
        writer.keepPart(1, [list("q", person("e", "red", "fresh"), person("a", "red", "changed"))]);
        writer.keepPart(1, [list("r", person("e", "red", "fresh"), person("c", "red", "other"))]);
        writer.saveParts(1, 2, red, checkpoint(2));
      },
    ],
  },
  {
    title: "finishing a sync run that removes records and memberships",
    work: [
      (writer) => {
        writer.finish(blue, checkpoint(2), { massDelete: true, parents: [] });
      },
    ],
    before: saveBlue,
  },
  {
    title: "saving what is known of a hidden parent together with the page of another",
    work: [
      (writer) => {
        const hidden = { records: [], parent: "p", parentDone: { key: "p", marker: "n", hidden: true as const } };
        const shown = { records: [person("d", "blue")], parent: "q", parentDone: { key: "q", marker: "n" } };
        writer.save(blue, { ...hidden, others: [shown], checkpoint: checkpoint(2) });
      },
    ],
  },
  {
    title: "dropping the indexes in a first sync run",
    work: [
      (writer) => {
        writer.save(green, { records: many, checkpoint: checkpoint(1) });
      },
    ],
  },
  {
    title: "changing and removing records of which some have no words yet",
    work: [
      (writer) => {
        const records = many.slice(1, 3).map((one) => ({ ...one, about: "something else" }));
        writer.save(green, { records: [...records, many[bulk + 1] ?? person("x", "green")], checkpoint: checkpoint(2) });
      },
      (writer) => {
        writer.finish(green, checkpoint(2), { massDelete: true, parents: [] });
      },
    ],
    before: load,
  },
  {
    title: "making indexes and words at the end of a first sync run",
    work: Array.from({ length: 12 }, () => (writer: Writer) => writer.settle(green)),
    before: load,
  },
  {
    title: "forgetting a scope",
    work: [
      (writer) => {
        writer.forgetSome(red, blue.scope);
      },
    ],
  },
  {
    title: "noting a failure",
    work: [
      (writer) => {
        writer.fail(red, "rate_limited");
      },
    ],
  },
  {
    title: "abandoning a sync run",
    work: [
      (writer) => {
        writer.abandon(blue, "partial_results");
      },
    ],
  },
];

describe("a fault of the storage", () => {
  it.each(works)("leaves the old or the new state, never another: $title", ({ work, before = nothing }) => {
    const states = statesOf(before, work);
    const texts = states.map((one) => JSON.stringify(one));
    const next = states.at(-1);
    expect(next).not.toEqual(states[0]);
    let faults = 0;
    for (let at = 0; ; at++) {
      const { failed, stored, again } = attempt(before, work, at);
      if (!failed) break;
      faults++;
      expect(texts.includes(JSON.stringify(stored)), `after a fault at statement ${at}`).toBe(true);
      expect(again, `after the work was done again because of a fault at statement ${at}`).toEqual(next);
    }
    expect(faults).toBeGreaterThan(2);
  });
});
