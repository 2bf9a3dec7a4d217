import type { StoredWrite, WriteState } from "./write-store.ts";

// How writes with an `Idempotency-Key` stand in the tables of every store.

export interface WriteRow {
  readonly caller: string;
  readonly key: string;
  readonly request: string;
  readonly state: WriteState;
  readonly owner: string;
  readonly begun_at: number;
  readonly answer: string | null;
}

export function writeOf({ begun_at, ...row }: WriteRow): StoredWrite {
  return { ...row, begunAt: begun_at };
}
