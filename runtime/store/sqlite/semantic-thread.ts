import type { SemanticAnswer, SemanticQuery } from "../semantic.ts";
import { SemanticReader } from "./semantic-reader.ts";
import { serveThread } from "./serve-thread.ts";
import type { SearchApi } from "./thread-api.ts";

serveThread<SearchApi<SemanticQuery, SemanticAnswer>>(
  ({ file, request }, catalogue) => new SemanticReader(file, catalogue, { request }),
);
