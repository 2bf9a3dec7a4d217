import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { QueryParser } from "../../../../runtime/search/index.ts";
import { Reader } from "../../../../runtime/store/sqlite/search/reader.ts";
import { Catalogue } from "../../../../runtime/store/sqlite/tables/catalogue.ts";
import { Writer } from "../../../../runtime/store/sqlite/write/writer.ts";

const tree: StorePlan = {
  key: ["path"],
  fields: { path: { type: "string", index: "name" }, oid: { type: "string", index: "exact" } },
};
const collection = { connector: "test", instance: "one", entity: "tree", scope: "all" };
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

const checkpoint = (run: number, full = false) => ({ run, full, step: 0 });
const entry = (path: string, oid: string) => ({ path, oid });
const markers = () =>
  writer.parents(collection, { entity: "tree", step: 0 }, undefined, 100).map(({ key, marker }) => [key, marker] as const);

describe("the writer", () => {
  it("removes the markers of a removed record, so that its children are read again when it comes back unchanged", () => {
    const root = { parent: "", parentDone: { key: "", marker: "r1" } };
    const files = ["a", "b", "c"].map((name) => entry(name, "f"));
    writer.save(collection, { records: [entry("docs", "t1"), ...files], ...root, checkpoint: checkpoint(1, true) });
    const below = { parent: "docs", parentDone: { key: "docs", marker: "t1" } };
    writer.save(collection, { records: [entry("docs/x", "x1")], ...below, checkpoint: checkpoint(1, true) });
    writer.finish(collection, checkpoint(1, true), { massDelete: false, parents: ["tree"] });
    expect(new Map(markers()).get("docs")).toBe("t1");

    writer.save(collection, { records: files, parent: "", parentDone: { key: "", marker: "r2" }, checkpoint: checkpoint(2) });
    const tree = { massDelete: false, parents: ["tree"], children: ["tree"] };
    expect(writer.finish(collection, checkpoint(2), tree)).toMatchObject({ removed: 2 });

    writer.save(collection, { records: [entry("docs", "t1"), ...files], ...root, checkpoint: checkpoint(3) });
    expect(new Map(markers()).get("docs")).toBeNull();
  });

  it("refuses records of a sync run when another process has begun a newer one", () => {
    writer.save(collection, { records: [entry("a", "1")], checkpoint: checkpoint(2, true) });
    expect(() => writer.save(collection, { records: [entry("b", "1")], checkpoint: checkpoint(1, true) })).toThrow(/taken over/);
    expect(() => writer.finish(collection, checkpoint(1, true), { massDelete: true, parents: [] })).toThrow(/taken over/);
  });

  it("neither writes to tables of another spec nor lets them be searched", () => {
    writer.save(collection, { records: [entry("a", "1")], checkpoint: checkpoint(1, true) });
    const reader = new Reader(file, new Catalogue({ test: { tree } }));
    opened({ ...tree, fields: { ...tree.fields, oid: { type: "string", index: "name" } } }).close();
    expect(() => writer.save(collection, { records: [entry("b", "1")], checkpoint: checkpoint(1, true) })).toThrow(
      /another version/,
    );
    const search = { sort: [], limit: 10, fields: null, explain: false };
    expect(() => reader.search(collection, search, Date.now() + 5_000)).toThrow(/another version/);
    reader.close();
  });

  it("finds records by the words of a key that is one field", () => {
    writer.save(collection, {
      records: [entry("docs/Read me", "1"), entry("docs/other", "2"), entry("src/readme", "3")],
      checkpoint: checkpoint(1, true),
    });
    const reader = new Reader(file, new Catalogue({ test: { tree } }));
    const parser = new QueryParser("tree", tree.fields);
    const found = (filter: object) => {
      const parsed = parser.filter(filter, []);
      const query = { ...(parsed === undefined ? {} : { filter: parsed }), sort: [], limit: 10, fields: null, explain: false };
      return JSON.parse(new TextDecoder().decode(reader.search(collection, query, Date.now() + 5_000)?.json)).map(
        ({ oid }: { oid: string }) => oid,
      );
    };
    expect(found({ keyword: { path: "read" } })).toEqual(["1"]);
    expect(found({ like: { path: "%READ%" } })).toEqual(["1", "3"]);
    expect(found({ like: { path: "DOCS/%" } })).toEqual(["1", "2"]);
    expect(found({ fuzzy: { path: "raed" } })).toEqual(["1"]);
    reader.close();
  });

  it("merges the pieces of its word indexes when asked to, until nothing is left to do", () => {
    for (let page = 0; page < 30; page++)
      writer.save(collection, { records: [entry(`folder ${page}`, String(page))], checkpoint: checkpoint(1, true) });
    const db = new Database(file, { readonly: true });
    // FTS5 numbers its pages with the piece that they belong to in front.
    const pieces = () =>
      db.prepare(`SELECT count(DISTINCT id >> 37) FROM "test_tree.path:words_data" WHERE id >> 37 > 0`).pluck().get();
    expect(pieces()).toBeGreaterThan(1);
    let rounds = 1;
    for (; writer.tidy(collection, rounds === 1); rounds++) expect(rounds).toBeLessThan(100);
    expect(pieces()).toBe(1);
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
  });

  it("removes the digest of the last spec once a sync run with another spec has begun", () => {
    const source = () => writer.states(collection).map((state) => state.source);
    const by = (run: number, name: string) => ({ ...checkpoint(run, true), source: name });
    writer.save(collection, { records: [entry("a", "1")], checkpoint: by(1, "old") });
    writer.finish(collection, by(1, "old"), { massDelete: false, parents: [] });
    writer.save(collection, { records: [entry("a", "1")], checkpoint: by(2, "old") });
    expect(source()).toEqual(["old"]);
    writer.save(collection, { records: [entry("a", "2")], checkpoint: by(3, "new") });
    expect(source()).toEqual([null]);
  });

  it("gives away the lease of a process that has ended, and no other lease", () => {
    const place = { connector: "test", instance: "one" };
    // No process has this number: it is beyond what systems give out.
    expect(writer.lease(place, `${hostname()}:999999999:x`, 60)).not.toBeNull();
    expect(writer.lease(place, `${hostname()}:${process.pid}:y`, 60)).not.toBeNull();
    expect(writer.lease(place, `${hostname()}:${process.pid}:z`, 60)).toBeNull();
    expect(writer.lease(place, "elsewhere:999999999:x", 60)).toBeNull();
  });

  it("answers null for the age of an answer while one of its scopes was never read to its end", () => {
    writer.save(collection, { records: [entry("a", "1")], checkpoint: checkpoint(1, true) });
    writer.finish(collection, checkpoint(1, true), { massDelete: false, parents: [] });
    const reader = new Reader(file, new Catalogue({ test: { tree } }));
    const age = () =>
      reader.search(collection, { sort: [], limit: 1, fields: null, explain: false }, Date.now() + 5_000)?.syncedAt;
    expect(age()).toMatch(/^\d{4}-/);
    writer.save({ ...collection, scope: "other" }, { records: [entry("b", "1")], checkpoint: checkpoint(1, true) });
    expect(age()).toBeNull();
    reader.close();
  });
});
