/** Bounds of what a caller may send, in bytes, characters or counts. The checks use them, and the page of limits shows them. */
export const requestLimits = {
  /** Bytes of a body, unpacked. */
  body: 1024 * 1024,
  /** Bytes of a body in which a client asks for a token. */
  form: 16 * 1024,
  /** Bytes of all headers together. */
  headers: 16 * 1024,
  /** Seconds in which the headers, and in which the whole request has to come in. */
  headersSeconds: 10,
  seconds: 30,
  /** Characters of the header `Idempotency-Key`, and of the member `intent`. */
  idempotencyKey: 255,
  intent: 512,
  /** How many fields one request may name, and how many keys the path of one may have. */
  fields: 200,
  fieldKeys: 10,
} as const;

/** A number of bytes in words: `1 MiB`, `16 KiB`. */
export function bytesText(bytes: number): string {
  const mebibyte = 1024 * 1024;
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${Math.round((bytes / 1024) * 10) / 10} KiB`;
}
