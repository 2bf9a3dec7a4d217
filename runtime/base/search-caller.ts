/** Who searches. Where searches have to wait, callers take turns, and each pays for the work that is done for it, not for its waiting. */
export interface SearchCaller {
  readonly id: string;
  /** Called with the milliseconds for which a thread or a connection worked, also for a search that failed, perhaps after its end. */
  readonly worked: (ms: number) => void;
}
