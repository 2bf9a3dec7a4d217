import { parentPort } from "node:worker_threads";
import { cut, type PieceReply } from "./json-pieces.ts";

const port = parentPort;
if (port === null) throw new Error("this module runs in a thread of its own");
const decoder = new TextDecoder();

port.on("message", ({ id, bytes }: { id: number; bytes: Uint8Array }) => {
  const send = (reply: PieceReply) => port.postMessage(reply);
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch {
    send({ kind: "not-json", id });
    return;
  }
  cut(value, (path, text) => send({ kind: "piece", id, path, text }));
  send({ kind: "end", id });
});
