import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Catalogue } from "./catalogue.ts";
import { type Call, end, failureOf, type Reply, type ThreadOptions } from "./messages.ts";

type Methods = Readonly<Record<string, (...args: never[]) => unknown>>;

/** Runs in a thread: makes an object, then calls its methods as the other side asks, one after the other. */
export function serveThread(
  make: (options: ThreadOptions, catalogue: Catalogue, tell: (text: string) => void) => Methods & { close(): void },
): void {
  const port = parentPort;
  if (port === null) throw new Error("this module runs in a thread of its own");
  const options = (workerData as { data: ThreadOptions }).data;
  let methods: Methods & { close(): void };
  try {
    methods = make(options, new Catalogue(options.plans), (text) => send(port, { kind: "told", text }));
  } catch (thrown) {
    send(port, { kind: "failed", id: undefined, error: failureOf(thrown) });
    return;
  }
  port.on("message", (call: Call | typeof end) => {
    if (call === end) {
      // Nothing else keeps the thread alive.
      port.close();
      methods.close();
      return;
    }
    const { id, method, args } = call;
    try {
      const value = methods[method]?.(...(args as never[]));
      // A large answer changes hands without being copied.
      const json = typeof value === "object" && value !== null && "json" in value ? value.json : undefined;
      send(port, { kind: "done", id, value }, json instanceof Uint8Array ? [json.buffer as ArrayBuffer] : []);
    } catch (thrown) {
      send(port, { kind: "failed", id, error: failureOf(thrown) });
    }
  });
  send(port, { kind: "ready" });
}

function send(port: MessagePort, reply: Reply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(reply, transfer);
}
