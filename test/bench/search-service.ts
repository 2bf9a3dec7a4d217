import { type Position, QueryParser, readCursor, type SearchQuery, writeCursor } from "../../runtime/search/index.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import type { Search } from "./search-classes.ts";
import { plan, plans, shelf } from "./search-file.ts";

export interface Answer {
  readonly json: Uint8Array;
}

/** The one place through which the bench searches. */
export interface Service {
  search(search: Search): Promise<Answer>;
  /** The cursor of a page's last record. */
  cursor(search: Search, position: Position): string;
  close(): Promise<void>;
}

const seconds = 20;

export async function openService(dataDir: string): Promise<Service> {
  const store = new SqliteStore({ dataDir, plans });
  await store.ready;
  return {
    search: ({ cursor, ...search }) => {
      const query = read(search);
      const after = cursor === undefined ? undefined : readCursor("issues", query, plan, cursor);
      return store.search(
        shelf,
        { ...query, ...(after === undefined ? {} : { after }), fields: null, explain: false },
        performance.now() + seconds * 1000,
      );
    },
    cursor: (search, position) => writeCursor("issues", read(search), position),
    close: () => store.close(),
  };
}

function read({ filter, sort = [], limit }: Search): SearchQuery {
  const parser = new QueryParser("issues", plan.fields);
  const condition = filter === undefined ? undefined : parser.filter(filter, []);
  const keys = parser.sort(sort, []);
  if (parser.faults.length > 0) throw new Error(JSON.stringify(parser.faults));
  return { ...(condition === undefined ? {} : { filter: condition }), sort: keys, limit };
}
