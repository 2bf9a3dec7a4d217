/** A write that was sent with an `Idempotency-Key`, by its caller and the hash of its key. */
export interface WriteId {
  readonly caller: string;
  readonly key: string;
}

/** How far a write is. `begun`: it was or is being sent. `in_doubt`: nobody knows whether it was done. */
export type WriteState = "begun" | "done" | "in_doubt";

export interface StoredWrite extends WriteId {
  /** Hash of the request. */
  readonly request: string;
  readonly state: WriteState;
  /** The process that sends it. */
  readonly owner: string;
  /** Milliseconds since 1970. */
  readonly begunAt: number;
  /** The answer as JSON, once the write is done. */
  readonly answer: string | null;
}

/** What is stored of a write that begins. */
export type BegunWrite = Pick<StoredWrite, "caller" | "key" | "request" | "owner" | "begunAt">;

/** How a write ended. `nothing`: it was certainly not done, and its key is free again. */
export type WriteEnd = { readonly state: "done"; readonly answer: string } | { readonly state: "in_doubt" | "nothing" };

/** Stores the writes that were sent with an `Idempotency-Key`, so that none is done twice. */
export interface WriteStore {
  /**
   * Stores a write that begins, unless one with its id is stored. Writes that began before `oldest` are forgotten.
   *
   * @returns the stored one; undefined when this one was stored
   */
  beginWrite(write: BegunWrite, oldest: number): Promise<StoredWrite | undefined>;
  /** Stores how a write ended that this owner has begun. */
  endWrite(id: WriteId, owner: string, end: WriteEnd): Promise<void>;
  write(id: WriteId): Promise<StoredWrite | undefined>;
}
