import { binaryArray, type Database, type Queries } from "../../../postgres/index.ts";
import { sql } from "../../../sql/index.ts";
import { canHaveTrigrams } from "./can-have-trigrams.ts";
import type { Layout, NamedIndex } from "./layout.ts";

// Which indexes searches have asked for. The names are kept apart from the layouts, so that the tables of a new one get them too.

/** In a collection of fewer records than this, an index saves no time that anybody would notice. */
const worthIndexing = 5_000;

interface DemandRow {
  readonly entity: string;
  readonly name: string;
}

/** The layouts with all indexes that their tables should have now. */
export async function completeLayouts(queries: Pick<Queries, "query">, layouts: readonly Layout[]): Promise<Layout[]> {
  const can = await canHaveTrigrams(queries);
  const rows = await demanded(queries);
  const known = new Set(rows.map(nameOf));
  const isWanted = ({ entity }: Layout, { demand }: NamedIndex) =>
    demand === undefined || known.has(nameOf({ entity, name: demand }));
  return layouts.map((layout) => ({
    ...layout,
    indexes: [...layout.indexes.filter((index) => isWanted(layout, index)), ...(can ? [layout.parts] : [])],
  }));
}

/** What the searches of this process ask for, until it is stored. */
export class IndexDemand {
  readonly #database: Database;
  readonly #least: number;
  readonly #stored = new Set<string>();
  readonly #open = new Map<string, DemandRow>();

  /** @param least how many records a collection has at least whose searches are noted */
  constructor(database: Database, least = worthIndexing) {
    this.#database = database;
    this.#least = least;
  }

  /** @param records about how many records are searched @param indexes that would find them sooner */
  note({ entity }: Layout, records: number, indexes: readonly NamedIndex[]): void {
    if (records < this.#least) return;
    for (const { demand: name } of indexes) {
      const row = { entity, name: name ?? "" };
      if (name !== undefined && !this.#stored.has(nameOf(row))) this.#open.set(nameOf(row), row);
    }
  }

  /** Stores what was noted. @returns whether this or another process has asked for an index since the last call */
  async store(): Promise<boolean> {
    const noted = [...this.#open.values()];
    if (noted.length > 0) {
      const texts = (of: keyof DemandRow) =>
        binaryArray(
          "text",
          noted.map((row) => row[of]),
        );
      await this.#database.run(
        sql`INSERT INTO store_indexes (entity, name) SELECT r.* FROM unnest(${texts("entity")}::text[], ${texts("name")}::text[]) AS r (entity, name) ON CONFLICT DO NOTHING`,
      );
    }
    const before = this.#stored.size;
    for (const row of await demanded(this.#database)) {
      this.#stored.add(nameOf(row));
      this.#open.delete(nameOf(row));
    }
    return this.#stored.size > before;
  }
}

function demanded(queries: Pick<Queries, "query">): Promise<DemandRow[]> {
  return queries.query<DemandRow>(sql`SELECT entity, name FROM store_indexes`);
}

function nameOf({ entity, name }: DemandRow): string {
  return `${entity}.${name}`;
}
