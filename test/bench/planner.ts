import { join } from "node:path";
import { planning } from "../../runtime/store/sqlite/search/planning.ts";
import { Catalogue } from "../../runtime/store/sqlite/tables/catalogue.ts";
import { median, type Result, type Row, round } from "./report.ts";
import { costsOf, searchesOf } from "./search-costs.ts";
import { folderOf, loaded, plans } from "./search-file.ts";
import { Records } from "./search-records.ts";

const queries = 5;
const rounds = 3;
/** What each constant is multiplied by. */
const factors = [1 / 4, 1, 4] as const;
/** A class counts as slower from this factor on, and only when it takes so many milliseconds more. */
const slower = { factor: 1.5, by: 0.2 };
/** A value is proposed when all classes together take so much less processor time with it. Smaller differences come from the machine. */
const better = 0.9;

type Costs = ReadonlyMap<string, number>;

/**
 * What each constant of SQLite's planner is worth on this machine: other values of it are tried one after the other, in turn with its own.
 * A value with which all classes of searches together take less time is told. Where nothing is slower with any value, none is needed.
 *
 * @param size records of the file
 */
export async function benchPlanner(size: number): Promise<Result> {
  const records = new Records(size);
  await loaded(records, (text) => console.error(text));
  const file = join(folderOf(size), "context-store.sqlite");
  const catalogue = new Catalogue(plans);
  const searches = searchesOf(records, queries);
  const names = Object.keys(planning) as (keyof typeof planning)[];
  costsOf(file, catalogue, searches);
  const rows = names.map((name): Row => {
    const own = planning[name];
    const found: Costs[][] = factors.map(() => []);
    for (let round = 0; round < rounds; round++)
      for (const [index, factor] of factors.entries()) {
        planning[name] = own * factor;
        found[index]?.push(costsOf(file, catalogue, searches));
      }
    planning[name] = own;
    const tried = factors.map((factor, index) => ({ value: own * factor, costs: mediansOf(found[index] ?? []) }));
    const usual = tried.find(({ value }) => value === own)?.costs ?? new Map();
    const best = tried.reduce((least, one) => (sumOf(one.costs) < sumOf(least.costs) ? one : least));
    const told = tried.flatMap(({ value, costs }) => worse(usual, costs).map((text) => `${value}: ${text}`));
    const proposed = sumOf(best.costs) < better * sumOf(usual) ? `; faster with ${best.value}` : "";
    const what = `${name} = ${own}${proposed}; ${told.length === 0 ? "nothing is slower with another value" : told.join("; ")}`;
    console.error(what);
    return { what, value: round((100 * sumOf(best.costs)) / sumOf(usual), 0), unit: "%" };
  });
  return {
    name: "planner",
    notes: `${size.toLocaleString("en")} issues; per constant the least processor time of all classes of searches with ${factors.join(", ")} times its value, as a part of that with its own, medians of ${rounds} rounds of ${queries} searches; and the class that suffers most from each value`,
    rows,
  };
}

function mediansOf(all: readonly Costs[]): Costs {
  const names = [...(all[0]?.keys() ?? [])];
  return new Map(names.map((name) => [name, median(all.map((costs) => costs.get(name) ?? 0))]));
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
