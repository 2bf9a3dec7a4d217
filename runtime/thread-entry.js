// The first step of every thread. What strips types is a WebAssembly module, and V8 crashes now and then where threads make and drop
// such modules by the dozen: with the cache only the first thread that reads a file needs it.
import { workerData } from "node:worker_threads";
import { shareCompiled, useCompileCache } from "./compile-cache.js";

useCompileCache();
await import(workerData.module);
shareCompiled();
