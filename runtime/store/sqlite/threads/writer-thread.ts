import { whenFree } from "../tables/connection.ts";
import { Writer } from "../write/writer.ts";
import type { WriterApi } from "../write/writer-api.ts";
import { serveThread } from "./serve-thread.ts";

serveThread<WriterApi>(({ file, request, verify = false, changeRetention }, catalogue, tell) =>
  whenFree(request, () => new Writer(file, catalogue, tell, { verify, changeRetention })),
);
