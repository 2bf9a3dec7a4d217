import type { StatementAnswer, StatementQuery } from "../../statement-store.ts";
import type { SearchApi } from "../search/search-api.ts";
import { StatementReader } from "../search/statement-reader.ts";
import { serveThread } from "./serve-thread.ts";

serveThread<SearchApi<StatementQuery, StatementAnswer>>(
  ({ file, request }, catalogue) => new StatementReader(file, catalogue, { request }),
);
