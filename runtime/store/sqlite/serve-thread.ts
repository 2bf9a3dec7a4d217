import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Catalogue } from "./catalogue.ts";
import { type Call, end, failureOf, type Reply, type ThreadOptions } from "./messages.ts";
import { FileGuard } from "./store-file.ts";

/**
 * Runs in a thread of the store. Makes an object that has the store's file open, and calls its methods as the main thread asks, one after
 * the other. When the main thread asks for the end, the object is closed and the thread ends.
 *
 * @param make makes the object; when it throws, the main thread receives the error and this thread ends
 */
export function serveThread<Api extends object>(
  make: (options: ThreadOptions, catalogue: Catalogue, tell: (text: string) => void) => Api & { close(): void },
): void {
  const port = parentPort;
  if (port === null) throw new Error("this module runs in a thread of its own");
  const options = (workerData as { data: ThreadOptions }).data;
  let served: Api & { close(): void };
  let guard: FileGuard;
  try {
    served = make(options, new Catalogue(options.plans), (text) => send(port, { kind: "told", text }));
    guard = new FileGuard(options.file);
  } catch (thrown) {
    send(port, { kind: "failed", id: undefined, error: failureOf(thrown) });
    return;
  }
  port.on("message", (call: Call | typeof end) => {
    if (call === end) {
      // The open port is all that keeps the thread alive.
      port.close();
      served.close();
      return;
    }
    const { id, method, args } = call;
    try {
      guard.check();
      const value = methodOf(served, method)(...args);
      // The memory of a large answer is handed over instead of being copied.
      const json = typeof value === "object" && value !== null && "json" in value ? value.json : undefined;
      send(port, { kind: "done", id, value }, json instanceof Uint8Array ? [json.buffer as ArrayBuffer] : []);
    } catch (thrown) {
      send(port, { kind: "failed", id, error: failureOf(thrown) });
    }
  });
  send(port, { kind: "ready" });
}

/** @throws Error when the object has no method of this name */
function methodOf(served: object, name: string): (...args: readonly unknown[]) => unknown {
  const method: unknown = Reflect.get(served, name);
  if (typeof method !== "function") throw new Error(`the thread has no method "${name}"`);
  return (...args) => Reflect.apply(method, served, args);
}

function send(port: MessagePort, reply: Reply, transfer: ArrayBuffer[] = []): void {
  port.postMessage(reply, transfer);
}
