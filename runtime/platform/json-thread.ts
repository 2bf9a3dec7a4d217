import { parentPort } from "node:worker_threads";
import { type CutPiece, cut, type PieceReply, type PieceRequest } from "./json-pieces.ts";

const port = parentPort;
if (port === null) throw new Error("this module runs in a thread of its own");
const decoder = new TextDecoder();
/** The pieces that are left of each text. */
const left = new Map<number, Iterator<CutPiece, undefined>>();

port.on("message", (request: PieceRequest) => {
  if (request.kind === "forget") left.delete(request.id);
  else port.postMessage(request.kind === "parse" ? begin(request) : next(request.id));
});

function begin({ id, bytes }: Extract<PieceRequest, { kind: "parse" }>): PieceReply {
  try {
    left.set(id, cut(JSON.parse(decoder.decode(bytes))));
  } catch {
    return { kind: "not-json", id };
  }
  return next(id);
}

function next(id: number): PieceReply {
  try {
    const piece = left.get(id)?.next();
    if (piece?.value !== undefined) return { kind: "piece", id, ...piece.value };
    left.delete(id);
    return { kind: "end", id };
  } catch {
    // The value is nested more deeply than the stack allows. An error that left this function would end the thread, and with it the
    // parses of all other answers.
    left.delete(id);
    return { kind: "not-json", id };
  }
}
