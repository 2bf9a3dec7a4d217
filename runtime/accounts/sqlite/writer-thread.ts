import { parentPort, workerData } from "node:worker_threads";
import { type Call, end, failureOf, type Reply } from "./messages.ts";
import { openWriter } from "./writer.ts";

// Runs in a thread of its own: calls the methods of the writer as the main thread asks, one after the other.

const port = parentPort;
if (port === null) throw new Error("this module runs in a thread of its own");
const send = (reply: Reply) => port.postMessage(reply);
const writer = open();

function open(): ReturnType<typeof openWriter> | undefined {
  try {
    return openWriter((workerData as { data: { file: string } }).data.file);
  } catch (thrown) {
    send({ kind: "unusable", failure: failureOf(thrown) });
    return undefined;
  }
}

if (writer !== undefined) {
  port.on("message", (call: Call | typeof end) => {
    if (call === end) {
      // The open port is all that keeps the thread alive.
      port.close();
      writer.close();
      return;
    }
    try {
      const value: unknown = Reflect.apply(writer.methods[call.method], undefined, call.args);
      send({ kind: "done", id: call.id, value });
    } catch (thrown) {
      send({ kind: "failed", id: call.id, failure: failureOf(thrown) });
    }
  });
  send({ kind: "ready" });
}
