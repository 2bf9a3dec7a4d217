const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Limits of subscriptions. Times are in milliseconds, sizes in bytes. */
export const subscriptionLimits = {
  /** Subscriptions of one caller. */
  ofCaller: 200,
  /** Characters of a URL. */
  url: 2_048,
  /** Url, entity, filter and fields as JSON: each turn and each list reads them. */
  content: 32 * 1024,
  /** A larger delivery goes out without its record. */
  body: 256 * 1024,
  /** What a receiver may take for one delivery, and how much of its response is read. */
  deadline: 15 * second,
  response: 64 * 1024,
  /** Changes that one turn reads, and those of different records that are sent at once. */
  turn: 50,
  atOnce: 8,
  /** Turns of a process at once: of receivers that respond, and of those that did not. */
  turns: 100,
  failingTurns: 20,
  /** Hours for which the old secret signs too after a rotation: usually, and at most. */
  overlap: { default: 24, most: 168 },
} as const;

/** Before each retry: together a day. After the last one, a subscription is disabled. */
export const retryDelays: readonly number[] = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  8 * hour,
];
