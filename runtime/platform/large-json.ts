import type { Worker } from "node:worker_threads";
import { startThread } from "../base/thread.ts";
import { type PieceReply, type PieceRequest, put } from "./json-pieces.ts";

interface Parse {
  /** The value made of the pieces so far. */
  value: unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

let thread: Worker | undefined;
const parses = new Map<number, Parse>();
let next = 0;

/**
 * Parses a large JSON text without holding up the event loop. A thread parses the text and sends the value back in pieces, each of which
 * takes only a moment. The process has one such thread. It starts with the first large text, and does not keep the process alive while
 * it has nothing to do.
 *
 * @param bytes the text in UTF-8
 * @returns the value, or the empty text when the text is not JSON or nested too deeply
 * @throws the signal's reason when the signal is aborted first
 */
export function parseLarge(bytes: Buffer<ArrayBuffer>, signal: AbortSignal): Promise<unknown> {
  const id = next++;
  return new Promise((resolve, reject) => {
    const abort = () => {
      settle(id, (one) => one.reject(signal.reason as Error));
      if (thread !== undefined) ask(thread, { kind: "forget", id });
    };
    const done = () => signal.removeEventListener("abort", abort);
    parses.set(id, {
      value: undefined,
      resolve: (value) => {
        done();
        resolve(value);
      },
      reject: (error) => {
        done();
        reject(error);
      },
    });
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    const own = new Uint8Array(bytes);
    thread ??= start();
    thread.ref();
    ask(thread, { kind: "parse", id, bytes: own }, [own.buffer]);
  });
}

function ask(worker: Worker, request: PieceRequest, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(request, transfer);
}

function start(): Worker {
  const worker = startThread(new URL("./json-thread.ts", import.meta.url));
  worker.on("message", receive);
  const lost = (thrown: unknown) => {
    // "exit" follows "error". By then another thread may serve the parses.
    if (thread !== worker) return;
    thread = undefined;
    const error = thrown instanceof Error ? thrown : new Error("the thread that parses large answers has ended");
    for (const id of [...parses.keys()]) settle(id, (one) => one.reject(error));
  };
  worker.on("error", lost);
  worker.on("exit", lost);
  return worker;
}

/** Puts a piece in its place and then asks for the next one, so that other work goes on between two pieces. */
function receive(reply: PieceReply): void {
  const parse = parses.get(reply.id);
  if (parse === undefined) return;
  if (reply.kind === "piece") {
    parse.value = put(parse.value, { path: reply.path, value: JSON.parse(reply.text) as unknown });
    if (thread !== undefined) ask(thread, { kind: "next", id: reply.id });
  } else settle(reply.id, (one) => one.resolve(reply.kind === "end" ? one.value : ""));
}

function settle(id: number, end: (parse: Parse) => void): void {
  const parse = parses.get(id);
  parses.delete(id);
  if (parses.size === 0) thread?.unref();
  if (parse !== undefined) end(parse);
}
