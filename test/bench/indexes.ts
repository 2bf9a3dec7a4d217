import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import type { EntityId } from "../../runtime/store/catalogue.ts";
import { Catalogue } from "../../runtime/store/sqlite/tables/catalogue.ts";
import type { Column, Layout } from "../../runtime/store/sqlite/tables/layout.ts";
import { type Result, type Row, round } from "./report.ts";
import { costsOf, searchesOf } from "./search-costs.ts";
import { folderOf, layout, loaded, plans } from "./search-file.ts";
import { Records } from "./search-records.ts";

const size = 100_000;
const queries = 15;
/** A class counts as slower from this factor on, and only when it takes so many milliseconds more. */
const slower = { factor: 2, by: 0.3 };

/** A layout that does without one index, as if the plan had none. */
class Without extends Catalogue {
  readonly #index: string;

  constructor(index: string) {
    super(plans);
    this.#index = index;
  }

  override layout(entity: EntityId): Layout {
    const whole = super.layout(entity);
    const column = ({ index, foldedIndex, ...rest }: Column): Column => ({
      ...rest,
      ...(index === undefined || index === this.#index ? {} : { index }),
      ...(foldedIndex === undefined || foldedIndex === this.#index ? {} : { foldedIndex }),
    });
    return {
      ...whole,
      columns: new Map([...whole.columns].map(([name, one]) => [name, column(one)])),
      composites: whole.composites.filter(({ name }) => name !== this.#index),
    };
  }
}

/**
 * What each index of the file is worth: its size, and how many times as long the classes of searches take without it. The indexes are
 * dropped one after the other in a copy of the file. Processor time is measured, so that other work on the machine matters less.
 */
export async function benchIndexes(): Promise<Result> {
  const records = new Records(size);
  await loaded(records, (text) => console.error(text));
  const folder = resolve(".cache/bench/indexes");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "context-store.sqlite");
  cpSync(join(folderOf(size), "context-store.sqlite"), file);
  const searches = searchesOf(records, queries);
  const db = new Database(file);
  try {
    const bytes = new Map(db.prepare<[], [string, number]>("SELECT name, sum(pgsize) FROM dbstat GROUP BY name").raw().all());
    const all = [...bytes.values()].reduce((sum, one) => sum + one, 0);
    costsOf(file, new Without(""), searches);
    const rows: Row[] = [];
    for (const { name, create } of layout.indexes) {
      const before = costsOf(file, new Without(""), searches);
      db.exec(`DROP INDEX ${name}`);
      const without = costsOf(file, new Without(name), searches);
      db.exec(create);
      const worse = searches.flatMap(({ name: what }) => {
        const [had = 0, has = 0] = [before.get(what), without.get(what)];
        return has > had * slower.factor && has - had > slower.by ? [{ what, had, has }] : [];
      });
      worse.sort((a, b) => b.has / b.had - a.has / a.had);
      const told = worse.map(({ what, had, has }) => `${what} ${round(had, 2)} → ${round(has, 2)} ms`);
      const size = bytes.get(name.slice(1, -1)) ?? 0;
      const row = `${name.slice(1, -1)} (${round((100 * size) / all, 1)} % of the file): ${told.length === 0 ? "nothing is slower" : told.join(", ")}`;
      console.error(`${row}, ${round(size / 1e6, 1)} MB`);
      rows.push({ what: row, value: round(size / 1e6, 1), unit: "MB" });
    }
    return {
      name: "indexes",
      notes: `${size.toLocaleString("en")} issues; what each index takes, and which classes of searches take at least ${slower.factor} times the processor time without it, means of ${queries} searches.`,
      rows,
    };
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
