import { pino } from "pino";
import { github } from "../../generated/github/index.ts";
import { redactor } from "../../runtime/base/redact.ts";
import { connect } from "../../runtime/execute/connect.ts";
import { execute } from "../../runtime/execute/execute.ts";
import { QueryParser, type SortPosition, writeCursor } from "../../runtime/search/index.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import type { Store } from "../../runtime/store/store.ts";
import { tokenCredential } from "../support/credential.ts";
import type { Search } from "./search-classes.ts";
import { collection, plan, plans } from "./search-file.ts";

export interface Answer {
  readonly json?: Uint8Array;
}

/** The one place through which the bench searches: the function that all requests pass. */
export interface Service {
  search(search: Search): Promise<Answer>;
  /** The cursor of a page's last record. */
  cursor(search: Search, position: SortPosition): string;
  close(): Promise<void>;
}

/** Milliseconds that a search of the bench may take. */
export const longest = 30_000;

/** The service over the files of a folder. */
export function openService(dataDir: string): Promise<Service> {
  return serviceOver(new SqliteStore({ dataDir, plans, searchTime: longest }));
}

/**
 * The service over a store, which it closes.
 *
 * @param storeName of the instance whose records the store has
 */
export async function serviceOver(store: Store, storeName = collection.instance): Promise<Service> {
  await store.ready;
  const instance = connect({
    id: "github",
    workspace: "default",
    connector: github,
    endpoints: { rest: "http://platform.example", graphql: "http://platform.example/graphql" },
    credential: async () => tokenCredential("none"),
    userAgent: "tenon/bench",
    redact: redactor(github.platform.auth.secrets, []),
    store,
    storeName,
  });
  const context = { timeout: longest, signal: new AbortController().signal, log: pino({ enabled: false }), requestId: "bench" };
  return {
    search: ({ filter, sort, ...params }) => {
      const query = { ...(filter === undefined ? {} : { filter }), ...(sort === undefined ? {} : { sort }) };
      return execute(instance, { entity: "issues", action: "context_store_search", params: { query, ...params } }, context);
    },
    cursor: (search, position) => {
      const parser = new QueryParser("issues", plan.fields);
      const filter = search.filter === undefined ? undefined : parser.filter(search.filter, []);
      return writeCursor(
        "issues",
        { ...(filter === undefined ? {} : { filter }), sort: parser.sort(search.sort ?? [], []) },
        position,
      );
    },
    close: async () => void (await store.close()),
  };
}
