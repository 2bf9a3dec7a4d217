import { whenFree } from "./connection.ts";
import { serveThread } from "./serve-thread.ts";
import type { WriterApi } from "./thread-api.ts";
import { Writer } from "./writer.ts";

serveThread<WriterApi>(({ file, request, verify = false }, catalogue, tell) =>
  whenFree(
    request,
    () => new Writer(file, catalogue, (migration, entity) => tell(`${migration} the tables of ${entity}`), { verify }),
  ),
);
