/** The APIs of a platform, each with an hourly budget of its own. */
export type PlatformApi = "graphql" | "rest";

/** A call as the scheduler sees it. */
export interface Job {
  readonly bucket: PlatformApi;
  readonly write: boolean;
  /** Name of the limit of this call alone; absent where it has none. */
  readonly limit?: string;
  /** What the call takes from the hourly budget of its bucket. */
  readonly points: number;
  /** Set when no caller waits for the call. It goes out only while that takes nothing from other calls. */
  readonly background: boolean;
  /** Time (as of `performance.now()`) after which starting the call is useless. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Who makes the call: callers take turns. */
  readonly caller: string;
  /** Which part the caller may use of what the others have not used of each limit: more than 0; 1 is all of it. */
  readonly share: number;
}
