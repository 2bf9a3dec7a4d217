/** What a caller asked for when an error comes, in words for the pages. */
export const errorSources = {
  request: "any request",
  action: "any action",
  live: "any action that calls the platform",
  read: "a live read",
  write: "a write",
  transition: "an update that changes a state",
  page: "a list that is read by a cursor",
  search: "a cached search",
  semantic: "a search by meaning",
  route: "routes other than that of actions",
  client: "no request: the client library and the command line make it",
} as const;

export type ErrorSource = keyof typeof errorSources;

/** What is known of an error code. */
export interface ErrorRow {
  readonly status: number;
  readonly retryable: boolean;
  readonly exit: number;
  readonly from: readonly ErrorSource[];
  readonly title: string;
  readonly advice: string;
}
