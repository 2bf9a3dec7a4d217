import { join } from "node:path";
import { openDatabase } from "../../runtime/postgres/index.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { planning as ofPostgres } from "../../runtime/store/postgres/search/planning.ts";
import { planning as ofSqlite } from "../../runtime/store/sqlite/search/planning.ts";
import { Catalogue } from "../../runtime/store/sqlite/tables/catalogue.ts";
import { postgresWith } from "./postgres-server.ts";
import { type Result, type Row, round } from "./report.ts";
import { type ClassSearches, costsOf, searchesOf, timesOf } from "./search-costs.ts";
import { folderOf, loaded, plans } from "./search-file.ts";
import { Records } from "./search-records.ts";

const queries = 5;
const rounds = 3;
/** What each constant is multiplied by. */
const factors = [1 / 4, 1, 4] as const;
/** A class counts as slower from this factor on, and only when it takes so many milliseconds more. */
const slower = { factor: 1.5, by: 0.2 };
/** A value is proposed when all classes together take so much less time with it. Smaller differences come from the machine. */
const better = 0.9;

type Costs = ReadonlyMap<string, number>;

/** A planner: its constants, and what one search of each class costs with them, in milliseconds. */
interface Planner {
  readonly name: string;
  readonly planning: Record<string, number>;
  readonly costs: () => Promise<Costs> | Costs;
}

/**
 * What each constant of the planners is worth on this machine: other values of it are tried one after the other, in turn with its own.
 * A value with which all classes of searches together take less time is told. Where nothing is slower with any value, none is needed.
 *
 * @param size records of the file and of the database
 */
export async function benchPlanner(size: number): Promise<Result> {
  const say = (text: string) => console.error(text);
  const records = new Records(size);
  const searches = searchesOf(records, queries);
  await loaded(records, say);
  const file = join(folderOf(size), "context-store.sqlite");
  const catalogue = new Catalogue(plans);
  const rows = await rowsOf({ name: "SQLite", planning: ofSqlite, costs: () => costsOf(file, catalogue, searches) });
  const place = await postgresWith(records, say);
  const database = openDatabase(place.url, { connections: 2 });
  const store = new PostgresStore({ database, plans, searchTime: 60_000 });
  try {
    await store.ready;
    const all = [...searches, ...searches.filter(({ name }) => /words|fuzzy/.test(name)).map(counted)];
    rows.push(...(await rowsOf({ name: "PostgreSQL", planning: ofPostgres, costs: () => timesOf(store, all) })));
  } finally {
    await store.close();
    await database.close();
    await place.stop();
  }
  return {
    name: "planner",
    notes: `${size.toLocaleString("en")} issues; per constant the least time of all classes of searches with ${factors.join(", ")} times its value, as a part of that with its own, the least of ${rounds} rounds of ${queries} searches: processor time of SQLite, time of PostgreSQL; and the class that suffers most from each value`,
    rows,
  };
}

/** The same searches, of which each counts all that it finds. */
function counted({ name, queries }: ClassSearches): ClassSearches {
  return { name: `${name}, counted`, queries: queries.map((query) => ({ ...query, count: true })) };
}

async function rowsOf({ name: engine, planning, costs }: Planner): Promise<Row[]> {
  await costs();
  const rows: Row[] = [];
  for (const [name, own] of Object.entries(planning)) {
    const found: Costs[][] = factors.map(() => []);
    for (let round = 0; round < rounds; round++)
      for (const [index, factor] of factors.entries()) {
        planning[name] = own * factor;
        found[index]?.push(await costs());
      }
    planning[name] = own;
    const tried = factors.map((factor, index) => ({ value: own * factor, costs: leastOf(found[index] ?? []) }));
    const usual = tried.find(({ value }) => value === own)?.costs ?? new Map();
    const best = tried.reduce((least, one) => (sumOf(one.costs) < sumOf(least.costs) ? one : least));
    const told = tried.flatMap(({ value, costs }) => worse(usual, costs).map((text) => `${value}: ${text}`));
    const proposed = sumOf(best.costs) < better * sumOf(usual) ? `; faster with ${best.value}` : "";
    const what = `${engine}: ${name} = ${own}${proposed}; ${told.length === 0 ? "nothing is slower with another value" : told.join("; ")}`;
    console.error(what);
    rows.push({ what, value: round((100 * sumOf(best.costs)) / sumOf(usual), 0), unit: "%" });
  }
  return rows;
}

/** Of each class the least: what else happens on the machine only adds to it. */
function leastOf(all: readonly Costs[]): Costs {
  const names = [...(all[0]?.keys() ?? [])];
  return new Map(names.map((name) => [name, Math.min(...all.map((costs) => costs.get(name) ?? 0))]));
}

function sumOf(costs: Costs): number {
  return [...costs.values()].reduce((sum, one) => sum + one, 0);
}

/** The class that has become slower most, in words; empty where none has. */
function worse(usual: Costs, costs: Costs): string[] {
  const found = [...costs].flatMap(([name, has]) => {
    const had = usual.get(name) ?? has;
    return has > had * slower.factor && has - had > slower.by ? [{ name, had, has }] : [];
  });
  const [most] = found.sort((a, b) => b.has / b.had - a.has / a.had);
  return most === undefined ? [] : [`${most.name} ${round(most.had, 2)} → ${round(most.has, 2)} ms`];
}
