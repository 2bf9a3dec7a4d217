// The entry of every thread. Node strips types with a WebAssembly module, and V8 sometimes crashes when many threads create and drop
// such modules. With the compile cache only the first thread that loads a file needs that module.
import { workerData } from "node:worker_threads";
import { shareCompiled, useCompileCache } from "./compile-cache.js";

useCompileCache();
await import(workerData.module);
shareCompiled();
