import { Rounds } from "../../base/rounds.ts";

/** The rounds in which larger bodies are read. */
export const bodyRounds = new Rounds();

/**
 * The rounds in which requests of known callers begin. With a single turn of each, a caller with many connections would wait for the
 * rounds.
 */
export const requestRounds = new Rounds({ each: 4 });
