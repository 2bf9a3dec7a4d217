import type { SemanticAnswer, SemanticQuery } from "../../semantic.ts";
import { SemanticReader } from "../meaning/semantic-reader.ts";
import type { SearchApi } from "../search/search-api.ts";
import { serveThread } from "./serve-thread.ts";

serveThread<SearchApi<SemanticQuery, SemanticAnswer>>(
  ({ file, request }, catalogue) => new SemanticReader(file, catalogue, { request }),
);
