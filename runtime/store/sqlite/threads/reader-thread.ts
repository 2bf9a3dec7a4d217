import { Reader } from "../search/reader.ts";
import type { ReaderApi } from "../search/search-api.ts";
import { serveThread } from "./serve-thread.ts";

serveThread<ReaderApi>(({ file, request }, catalogue) => new Reader(file, catalogue, { request }));
