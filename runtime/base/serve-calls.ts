import { parentPort, workerData } from "node:worker_threads";
import { sentError } from "./sent-error.ts";
import { end, type Reply, type WorkerCall } from "./worker-calls.ts";

/** What a thread serves. */
export interface ServedCalls<Api extends object> {
  readonly methods: Api;
  /** Called before each call. When it throws, the call fails. */
  readonly check?: () => void;
  /** The error to send for one that was thrown. */
  readonly errorFor?: (thrown: unknown) => unknown;
  /** The memory of a result that is handed over instead of being copied. */
  readonly memoryOf?: (value: unknown) => ArrayBuffer[];
  /** Called when the thread has to end. */
  readonly close?: () => void;
}

/**
 * Serves the methods of an object to the thread that has started this one with `WorkerCalls<Api>`, one call after the other; the reply
 * of a method that returns a promise may come later. When that thread asks for the end, the object is closed and this thread ends.
 *
 * @param make makes the object; when it throws, the other thread gets the error and this thread ends
 * @param errorFor the error to send when `make` throws
 */
export function serveCalls<Api extends object, Data = undefined>(
  make: (data: Data, notice: (text: string) => void) => ServedCalls<Api>,
  errorFor: (thrown: unknown) => unknown = (thrown) => thrown,
): void {
  const port = parentPort;
  if (port === null) throw new Error("this module runs in a separate thread");
  const send = (reply: Reply, memory: ArrayBuffer[] = []) => port.postMessage(reply, memory);
  let served: ServedCalls<Api>;
  try {
    served = make((workerData as { data: Data }).data, (text) => send({ kind: "notice", text }));
  } catch (thrown) {
    send({ kind: "unusable", error: sentError(errorFor(thrown)) });
    return;
  }
  port.on("message", (message: WorkerCall | typeof end) => {
    if (message === end) {
      // The open port is all that keeps the thread alive.
      port.close();
      served.close?.();
      return;
    }
    const { id, method, args } = message;
    const done = (value: unknown) => send({ kind: "done", id, value }, served.memoryOf?.(value) ?? []);
    const failed = (thrown: unknown) => send({ kind: "failed", id, error: sentError(served.errorFor?.(thrown) ?? thrown) });
    try {
      served.check?.();
      const value = methodOf(served.methods, method)(...args);
      if (value instanceof Promise) value.then(done).catch(failed);
      else done(value);
    } catch (thrown) {
      // An exception that left this function would end the thread.
      failed(thrown);
    }
  });
  send({ kind: "ready" });
}

/** @throws Error when the object has no method of this name */
function methodOf(served: object, name: string): (...args: readonly unknown[]) => unknown {
  const method: unknown = Reflect.get(served, name);
  if (typeof method !== "function") throw new Error(`the thread has no method "${name}"`);
  return (...args) => Reflect.apply(method, served, args);
}
