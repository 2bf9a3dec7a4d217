import { Reader } from "./reader.ts";
import { serveThread } from "./serve-thread.ts";
import type { ReaderApi } from "./thread-api.ts";

serveThread<ReaderApi>(({ file, request }, catalogue) => new Reader(file, catalogue, { request }));
