// The first step of every thread. Types are stripped by a WebAssembly module, and V8 sometimes crashes when many threads make and drop
// such modules. With the compile cache only the first thread that reads a file needs the module.
import { workerData } from "node:worker_threads";
import { shareCompiled, useCompileCache } from "./compile-cache.js";

useCompileCache();
await import(workerData.module);
shareCompiled();
