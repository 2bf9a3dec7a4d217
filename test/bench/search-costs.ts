import { QueryParser } from "../../runtime/search/index.ts";
import type { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { Reader } from "../../runtime/store/sqlite/search/reader.ts";
import type { Catalogue } from "../../runtime/store/sqlite/tables/catalogue.ts";
import type { StoreSearch } from "../../runtime/store/store.ts";
import { collection as inDatabase } from "./postgres-server.ts";
import { classes, type Search } from "./search-classes.ts";
import { collection, plan } from "./search-file.ts";
import { Random, type Records } from "./search-records.ts";

/** The searches of one class. */
export interface ClassSearches {
  readonly name: string;
  readonly queries: readonly StoreSearch[];
}

/** Milliseconds that one search may take. */
const longest = 60_000;

/** Searches of every class, the same ones each time. @param count how many of each */
export function searchesOf(records: Records, count: number): ClassSearches[] {
  return classes.map(({ name, make }, index) => {
    const random = new Random(index + 1);
    return { name, queries: Array.from({ length: count }, () => parsed(make(records, random).search)) };
  });
}

function parsed({ filter, sort = [], limit }: Search): StoreSearch {
  const parser = new QueryParser("issues", plan.fields);
  const condition = filter === undefined ? undefined : parser.filter(filter, []);
  return {
    ...(condition === undefined ? {} : { filter: condition }),
    sort: parser.sort(sort, []),
    limit,
    fields: null,
    explain: false,
  };
}

/**
 * Milliseconds of processor time of one search of each class, after all of them ran once. Processor time is measured, so that other work
 * on the machine matters less.
 */
export function costsOf(file: string, catalogue: Catalogue, searches: readonly ClassSearches[]): Map<string, number> {
  const reader = new Reader(file, catalogue);
  try {
    return new Map(
      searches.map(({ name, queries }) => {
        for (const query of queries) reader.search(collection, query, Date.now() + longest);
        const started = process.cpuUsage();
        for (const query of queries) reader.search(collection, query, Date.now() + longest);
        const { user, system } = process.cpuUsage(started);
        return [name, (user + system) / 1000 / queries.length];
      }),
    );
  } finally {
    reader.close();
  }
}

/** Milliseconds of one search of each class in a database, the least of two, after all of them ran once. */
export async function timesOf(store: PostgresStore, searches: readonly ClassSearches[]): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const { name, queries } of searches) {
    const rounds: number[] = [];
    for (let round = 0; round < 3; round++) {
      const started = performance.now();
      for (const query of queries) await store.search(inDatabase, query, started + longest);
      if (round > 0) rounds.push((performance.now() - started) / queries.length);
    }
    times.set(name, Math.min(...rounds));
  }
  return times;
}
