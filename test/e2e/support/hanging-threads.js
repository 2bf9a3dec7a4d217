// Loaded before a command and before each of its threads: at SIGUSR2 every thread begins a call of SQLite that never comes back.
import { writeSync } from "node:fs";
import { BroadcastChannel, isMainThread } from "node:worker_threads";
import Database from "better-sqlite3";

const channel = new BroadcastChannel("hang");
channel.unref();
if (isMainThread) process.on("SIGUSR2", () => channel.postMessage("now"));
else
  channel.onmessage = () => {
    // Written straight to the file: what a thread writes to its standard error waits for the main thread.
    writeSync(2, "a thread hangs now\n");
    new Database(":memory:")
      .prepare("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n")
      .get();
  };
