/** Bounds of what a caller may send, in bytes, characters or counts. The checks use them, and the page of limits shows them. */
export const requestLimits = {
  /** Bytes of a body, unpacked. */
  body: 1024 * 1024,
  /**
   * Bytes of a delivery of a platform's webhook, unpacked, and its values. GitHub sends no larger ones. One that carries its secret in
   * the body has the limit of other bodies.
   */
  webhook: 25 * 1024 * 1024,
  webhookValues: 1_000_000,
  /** Lists and objects of a body within each other, and its values: members and elements, at any depth. */
  depth: 64,
  values: 20_000,
  /** Members of one object of a body. */
  members: 1_000,
  /** Members of `_meta` in a message of MCP, and all of its values but the arguments of a tool. */
  metaMembers: 100,
  messageValues: 1_000,
  /** By how much a compressed body may grow. The first bytes do not count: any short text may repeat itself. */
  growth: 100,
  growthFrom: 64 * 1024,
  /**
   * Pieces in which a body may come whatever their size, such as chunks; all of a body that comes in more have so many bytes on average.
   */
  pieces: 1_000,
  pieceBytes: 32,
  /** Bytes of a body in which a client asks for a token. */
  form: 16 * 1024,
  /** Bytes of all headers together. */
  headers: 16 * 1024,
  /** Seconds in which the headers, and in which the whole request has to come in. */
  headersSeconds: 10,
  seconds: 30,
  /** Requests of one connection that may wait for those before them. All connections together may have as many times so many. */
  ahead: 16,
  /** The same for an address that has lately sent too many on a connection. */
  aheadOfHasty: 1,
  /** Characters of the header `Idempotency-Key`, and of the member `intent`. */
  idempotencyKey: 255,
  intent: 512,
  /** How many fields one request may name, how many keys the path of one may have, and how many characters a key. */
  fields: 200,
  fieldKeys: 10,
  fieldKey: 256,
} as const;

/** A number of bytes in words: `1 MiB`, `16 KiB`. */
export function bytesText(bytes: number): string {
  const mebibyte = 1024 * 1024;
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${Math.round((bytes / 1024) * 10) / 10} KiB`;
}

/** What one address may do in a minute. An IPv6 network of 64 bits counts as one address. */
export const attemptLimits = {
  /** Wrong keys, tokens and secrets. Right ones work all the same. */
  failures: 20,
  /** Wrong keys and tokens that have the right form, so that only a look into the store shows that they are wrong. */
  lookups: 300,
  /** Access tokens of one client. One is enough for a quarter of an hour, but each of many client objects of a program asks for its own. */
  tokens: 600,
} as const;
