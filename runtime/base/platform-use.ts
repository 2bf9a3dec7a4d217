// What the rest of a service says to a platform's client about its calls, and what it hears of them.

/** How far one caller may go before it leaves the platform to the others. */
export interface PlatformLimits {
  /** Which part the caller may use of what others have not used of each limit: more than 0; 1 is all of it. */
  readonly share: number;
  /** Milliseconds that each of its calls may wait for its turn. */
  readonly wait: number;
}

/** What one call to a platform took, as logs, metrics and traces note it. */
export interface EndedCall {
  /** The limit of the platform that it counts for. */
  readonly bucket: string;
  /** Points of the platform's limit per minute. */
  readonly points: number;
  /** Milliseconds that it waited for its turn, and that the platform took. */
  readonly waited: number;
  readonly took: number;
  /** Whether the platform accepted it. */
  readonly good: boolean;
}
