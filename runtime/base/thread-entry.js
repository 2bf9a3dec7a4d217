// The entry of every thread. Node strips types with a WebAssembly module, and V8 sometimes crashes when many threads create and drop
// such modules. With the compile cache only the first thread that loads a file needs that module.
import { getPriority, setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import { shareCompiled, useCompileCache } from "./compile-cache.js";

// On Linux this is the priority of the thread alone, on other systems it would be that of the process.
if (workerData.nice > 0 && process.platform === "linux") setPriority(Math.min(19, getPriority() + workerData.nice));
useCompileCache();
await import(workerData.module);
shareCompiled();
