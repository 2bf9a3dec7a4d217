import type { Prompt } from "../../semantic/nearest-slots.ts";

// What the main thread and the thread with the codes say to each other.

/** Adds codes to an index, which is made with the first of them. */
export interface AddCodes {
  readonly kind: "add";
  readonly index: number;
  readonly dims: number;
  readonly codes: Uint8Array;
}

export interface DropIndex {
  readonly kind: "drop";
  readonly index: number;
}

/** Asks for the nearest slots of an index, as `refinedSlots` finds them. */
export interface FindNearest extends Prompt {
  readonly kind: "nearest";
  readonly call: number;
  readonly index: number;
  readonly wanted: number;
  readonly closed: Uint8Array;
}

/** The thread ends after the messages that came before. */
export interface EndThread {
  readonly kind: "end";
}

export type CodeMessage = AddCodes | DropIndex | FindNearest | EndThread;

export interface NearestSlots {
  readonly call: number;
  readonly slots: readonly number[];
}
