import type { SemanticState } from "../store/semantic.ts";

/** The index of one field for search by meaning, as people and programs read it. */
export interface SemanticStatus {
  readonly entity: string;
  readonly field: string;
  readonly model: string;
  /** `complete`: every text is embedded. `embedding`: some wait. `failing`: the model does not work. `unsynced`: no sync has ended yet. */
  readonly state: "complete" | "embedding" | "failing" | "unsynced";
  /** Whether searches work. */
  readonly ready: boolean;
  readonly passages: number;
  /** Texts that wait to be embedded, and how many seconds that will take, where it can be said. */
  readonly waiting: number;
  readonly seconds_left: number | null;
  readonly problem: string | null;
}

export function semanticStatus(states: readonly SemanticState[]): SemanticStatus[] {
  return states.map(({ entity, field, model, passages, waiting, ready, secondsLeft, problem }) => {
    const state = problem !== null ? "failing" : waiting > 0 ? "embedding" : ready ? "complete" : "unsynced";
    return { entity, field, model, state, ready, passages, waiting, seconds_left: secondsLeft, problem };
  });
}
