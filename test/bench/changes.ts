import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { github } from "../../generated/github/index.ts";
import type { RecordObject } from "../../runtime/search/index.ts";
import { Statements } from "../../runtime/sqlite/index.ts";
import { ChangeNotes, defaultChangeRetention } from "../../runtime/store/change-log.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { Catalogue } from "../../runtime/store/sqlite/tables/catalogue.ts";
import { openWriter } from "../../runtime/store/sqlite/tables/connection.ts";
import { prepareFile } from "../../runtime/store/sqlite/tables/schema.ts";
import { storeFile } from "../../runtime/store/sqlite/tables/store-file.ts";
import { openLedger } from "../../runtime/store/sqlite/write/ledger.ts";
import { Writer } from "../../runtime/store/sqlite/write/writer.ts";
import { changeFlow } from "./changes-flow.ts";
import { type Result, round } from "./report.ts";
import { Records } from "./search-records.ts";

const plans = { github: { issues: github.entities["issues"]?.store ?? { key: ["id"], fields: {} } } };
const place = { connector: "github", instance: "one" };
const issues = { ...place, entity: "issues", scope: "repository=octocat/hello-world" };
const pageSize = 100;

/** Processor time of some work, in milliseconds. */
function spent(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What the change log costs the first load of a scope in SQLite, how fast it is read, and the way of a change through the service. */
export async function benchChanges(size: number): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-bench-"));
  const all = new Records(size);
  const pages: Pages = Array.from({ length: size / pageSize }, (_, page) =>
    Array.from({ length: pageSize }, (_, at) => ({ ...all.record(page * pageSize + at) })),
  );
  try {
    const load = loaded(dataDir, pages);
    const flow = await changeFlow();
    const log = logged(join(dataDir, "log-alone.sqlite"), pages);
    const store = new SqliteStore({ dataDir, plans });
    await store.ready;
    const began = performance.now();
    for (let from = 0; from < size; ) {
      const { position } = await store.changes(place, { from, limit: 1000, entities: null });
      from = position;
    }
    const perSecond = size / ((performance.now() - began) / 1000);
    await store.close();
    return {
      name: "changes",
      notes: `${size} issues, ${pageSize} a page, into an empty SQLite file; the log alone is written to a file of its own`,
      rows: [
        { what: "first load", value: round(load.time, 0), unit: "ms of processor time" },
        { what: "the change log of it", value: round((100 * log) / load.time, 1), unit: "% of that", aim: "at most 10 %" },
        {
          what: "the change log in the file",
          value: round((100 * load.logBytes) / load.bytes, 1),
          unit: "%",
          aim: "at most 5 %",
        },
        { what: "changes read", value: round(perSecond, 0), unit: "a second" },
        { what: "all records changed", value: round(load.changed, 0), unit: "ms of processor time" },
        { what: "the same records once more", value: round(load.unchanged, 0), unit: "ms of processor time" },
        ...flow,
      ],
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Pages = readonly (readonly ({ readonly id: string } & RecordObject)[])[];

function loaded(dataDir: string, pages: Pages) {
  const file = storeFile(dataDir);
  const writer = new Writer(file, new Catalogue(plans), () => undefined);
  const checkpoint = { run: 1, full: true, step: 0 };
  const time = spent(() => {
    for (const records of pages) writer.save(issues, { records, checkpoint });
    writer.finish(issues, checkpoint, { massDelete: false, parents: [] });
    while (writer.settle(issues));
  });
  writer.cutLog();
  const db = openWriter(file, () => undefined);
  const log = db.prepare("SELECT sum(pgsize) FROM dbstat WHERE name GLOB '*store_change_*'").pluck().get();
  db.close();
  const bytes = statSync(file).size;
  const again = (run: number, given: Pages) =>
    spent(() => {
      for (const records of given) writer.save(issues, { records, checkpoint: { ...checkpoint, run } });
    });
  const changed = again(
    2,
    pages.map((records) => records.map((one) => ({ ...one, updatedAt: "2030-01-01T00:00:00Z" }))),
  );
  const unchanged = again(
    3,
    pages.map((records) => records.map((one) => ({ ...one, updatedAt: "2030-01-01T00:00:00Z" }))),
  );
  writer.close();
  return { time, bytes, logBytes: Number(log), changed, unchanged };
}

/** Writes only the log of these pages, each in a transaction. @returns milliseconds of processor time */
function logged(file: string, pages: Pages): number {
  const db = openWriter(file, (made) => prepareFile(made));
  const ledger = openLedger(new Statements(db));
  const [inst, scope] = [ledger.makeInstance(place), 1];
  ledger.makeScope(inst, issues.scope);
  const write = db.transaction((records: Pages[number]) => {
    const notes = new ChangeNotes();
    for (const { id } of records) notes.add(id, "created");
    ledger.logChanges({ inst, scope, entity: issues.entity }, notes);
    ledger.trimChanges(inst, defaultChangeRetention);
  });
  const time = spent(() => {
    for (const records of pages) write.immediate(records);
  });
  db.close();
  return time;
}
