import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { StorePlan } from "../../runtime/contract/index.ts";
import { Catalogue } from "../../runtime/store/sqlite/catalogue.ts";
import { Reader } from "../../runtime/store/sqlite/reader.ts";
import { Writer } from "../../runtime/store/sqlite/writer.ts";

const tree: StorePlan = {
  key: ["path"],
  fields: { path: { type: "string", index: "name" }, oid: { type: "string", index: "exact" } },
};
const shelf = { connector: "test", instance: "one", entity: "tree", scope: "all" };
const folder = mkdtempSync(join(tmpdir(), "tenon-writer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let file: string;
let files = 0;
let writer: Writer;
const opened = (plan: StorePlan) => new Writer(file, new Catalogue({ test: { tree: plan } }), () => undefined);
beforeEach(() => {
  file = join(folder, `${files++}.sqlite`);
  writer = opened(tree);
});

const position = (pass: number, full = false) => ({ pass, full, step: 0 });
const entry = (path: string, oid: string) => ({ path, oid });
const marks = () =>
  writer.parents(shelf, { entity: "tree", step: 0 }, undefined, 100).map(({ key, mark }) => [key, mark] as const);

describe("the writer", () => {
  it("forgets what it knew of a record that is gone: should it come back as it was, all below it is read again", () => {
    const root = { parent: "", parentDone: { key: "", mark: "r1" } };
    const files = ["a", "b", "c"].map((name) => entry(name, "f"));
    writer.save(shelf, { records: [entry("docs", "t1"), ...files], ...root, position: position(1, true) });
    const below = { parent: "docs", parentDone: { key: "docs", mark: "t1" } };
    writer.save(shelf, { records: [entry("docs/x", "x1")], ...below, position: position(1, true) });
    writer.finish(shelf, position(1, true), { massDelete: false, parents: ["tree"] });
    expect(new Map(marks()).get("docs")).toBe("t1");

    writer.save(shelf, { records: files, parent: "", parentDone: { key: "", mark: "r2" }, position: position(2) });
    expect(writer.finish(shelf, position(2), { massDelete: false, parents: ["tree"] })).toMatchObject({ removed: 2 });

    writer.save(shelf, { records: [entry("docs", "t1"), ...files], ...root, position: position(3) });
    expect(new Map(marks()).get("docs")).toBeNull();
  });

  it("takes nothing from a pass that another process has overtaken", () => {
    writer.save(shelf, { records: [entry("a", "1")], position: position(2, true) });
    expect(() => writer.save(shelf, { records: [entry("b", "1")], position: position(1, true) })).toThrow(/taken over/);
    expect(() => writer.finish(shelf, position(1, true), { massDelete: true, parents: [] })).toThrow(/taken over/);
  });

  it("neither writes into tables of another spec nor lets them be searched", () => {
    writer.save(shelf, { records: [entry("a", "1")], position: position(1, true) });
    const reader = new Reader(file, new Catalogue({ test: { tree } }));
    opened({ ...tree, fields: { ...tree.fields, oid: { type: "string", index: "name" } } }).close();
    expect(() => writer.save(shelf, { records: [entry("b", "1")], position: position(1, true) })).toThrow(/another version/);
    const search = { sort: [], limit: 10, fields: null, explain: false };
    expect(() => reader.search(shelf, search, Date.now() + 5_000)).toThrow(/another version/);
    reader.close();
  });

  it("gives the lease of a process that has ended to the next one, and no other", () => {
    const place = { connector: "test", instance: "one" };
    // No process has this number: it is beyond what systems give out.
    expect(writer.lease(place, `${hostname()}:999999999:x`, 60)).toBe(true);
    expect(writer.lease(place, `${hostname()}:${process.pid}:y`, 60)).toBe(true);
    expect(writer.lease(place, `${hostname()}:${process.pid}:z`, 60)).toBe(false);
    expect(writer.lease(place, "elsewhere:999999999:x", 60)).toBe(false);
  });

  it("says null for the age of an answer while one of its scopes was never read to its end", () => {
    writer.save(shelf, { records: [entry("a", "1")], position: position(1, true) });
    writer.finish(shelf, position(1, true), { massDelete: false, parents: [] });
    const reader = new Reader(file, new Catalogue({ test: { tree } }));
    const age = () => reader.search(shelf, { sort: [], limit: 1, fields: null, explain: false }, Date.now() + 5_000).syncedAt;
    expect(age()).toMatch(/^\d{4}-/);
    writer.save({ ...shelf, scope: "other" }, { records: [entry("b", "1")], position: position(1, true) });
    expect(age()).toBeNull();
    reader.close();
  });
});
