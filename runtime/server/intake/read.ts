import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { TenonError } from "../../base/errors.ts";
import { requestLimits } from "../../base/request-limits.ts";
import { tooLarge } from "./head.ts";
import { dropRest } from "./rest.ts";

/** The error for a body whose caller has gone before the end of it. */
export function cutOff(): TenonError {
  return new TenonError("invalid_json", "The body was cut off.");
}

/** How a body is unpacked, by its `Content-Encoding`. */
const unpackers = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress } as const;
type Unpacker = ReturnType<(typeof unpackers)[keyof typeof unpackers]>;

/** Bytes that a packed text may have beyond its content: what cannot be packed smaller gets a little larger. */
const frame = 4 * 1024;

/** Takes a piece of a body, and the bytes of the body with it. Where it gives a promise, the next piece is read only after that. */
export type TakePiece = (piece: Buffer, size: number) => Promise<void> | undefined;

/**
 * Reads a body, and unpacks it. When it ends early, the rest of the body is dropped as it comes in.
 *
 * @param limit bytes that it may have unpacked
 * @throws TenonError for a body that is too large, grows too much, cannot be unpacked or is cut off, and what `take` throws
 */
export async function readBody(request: IncomingMessage, limit: number, take: TakePiece): Promise<Buffer> {
  const unpacker = unpackerOf(request.headers["content-encoding"]);
  if (unpacker !== undefined) boundPacked(request, unpacker, limit);
  const pieces: Buffer[] = [];
  let size = 0;
  const each = (piece: Buffer) => {
    size += piece.length;
    if (size > limit) throw tooLarge(limit);
    if (unpacker !== undefined) checkGrowth(size, unpacker.bytesWritten);
    pieces.push(piece);
    return take(piece, size);
  };
  await collect(request, unpacker, each);
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, size);
}

function unpackerOf(given: string | undefined): Unpacker | undefined {
  const encoding = (given ?? "identity").toLowerCase();
  if (encoding === "identity") return undefined;
  const found = Object.entries(unpackers).find(([name]) => name === encoding)?.[1];
  if (found === undefined) throw new TenonError("unsupported_media_type", "This Content-Encoding is not supported.");
  return found();
}

/** Ends a body that stays small unpacked and has more packed bytes than that: parts without content, one after the other. */
function boundPacked(request: IncomingMessage, unpacker: Unpacker, limit: number): void {
  let packed = 0;
  request.on("data", (piece: Buffer) => {
    packed += piece.length;
    if (packed > limit + frame) unpacker.destroy(tooLarge(limit));
  });
}

/** @param size bytes so far @param packed bytes that they were */
function checkGrowth(size: number, packed: number): void {
  const { growth, growthFrom } = requestLimits;
  if (size > growthFrom && size > growth * packed)
    throw new TenonError("body_too_large", `The body unpacks to more than ${growth} times its size.`);
}

/** Gives the pieces of a body to `each`, one after the other. */
function collect(
  request: IncomingMessage,
  unpacker: Unpacker | undefined,
  each: (piece: Buffer) => Promise<void> | undefined,
): Promise<void> {
  const source: Readable = unpacker ?? request;
  let taking = Promise.resolve();
  return new Promise<void>((resolve, reject) => {
    const fail = (thrown: unknown) => {
      source.off("data", onData);
      if (unpacker !== undefined) {
        request.unpipe(unpacker);
        unpacker.destroy();
      }
      dropRest(request);
      reject(thrown);
    };
    const onData = (piece: Buffer) => {
      try {
        const taken = each(piece);
        if (taken === undefined) return;
        source.pause();
        taking = taken;
        taken.then(() => source.resume(), fail);
      } catch (thrown) {
        fail(thrown);
      }
    };
    if (request.destroyed) return fail(cutOff());
    request.on("error", () => fail(cutOff())).on("close", () => void (request.complete || fail(cutOff())));
    unpacker?.on("error", (thrown) =>
      fail(thrown instanceof TenonError ? thrown : new TenonError("invalid_json", "The body cannot be unpacked.")),
    );
    // A stream says that it has ended although it pauses with its last piece, which may not be taken yet.
    const ended = () => taking.then(resolve, () => undefined);
    source.on("end", ended).on("data", onData);
    if (unpacker !== undefined) request.pipe(unpacker);
  });
}
