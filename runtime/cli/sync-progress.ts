import type { EmbeddingProgress, Progress, SyncResult } from "../sync/index.ts";

export interface Show {
  readonly progress: (progress: Progress) => void;
  readonly embedding: (progress: EmbeddingProgress) => void;
  readonly end: (result: SyncResult) => void;
}

/** Progress for programs: a line of JSON for every page and every entity, and one at the end. */
export function jsonLines(out: { write(text: string): unknown }): Show {
  return {
    progress: ({ kind, scope, entity, records, spent, quotaLeft, result }) =>
      void out.write(
        `${JSON.stringify({ event: kind, scope, entity, records, ...spent, quota_left: quotaLeft ?? null, ...result })}\n`,
      ),
    embedding: (progress) => void out.write(`${JSON.stringify({ event: "embedding", ...progress })}\n`),
    end: ({ outcome, entities }) => void out.write(`${JSON.stringify({ event: "done", outcome, entities: entities.length })}\n`),
  };
}

/** Progress for people: one line per entity. The last line is written anew with every page. */
export function terminal(out: { write(text: string): unknown }): Show {
  const began = performance.now();
  let moving = false;
  const line = (text: string, stays: boolean) => {
    out.write(`${moving ? "\r\u001b[K" : ""}${text}${stays ? "\n" : ""}`);
    moving = !stays;
  };
  /** Records read so far, by scope and entity, because several scopes are read at the same time. */
  const read = new Map<string, number>();
  return {
    progress: (progress) => {
      const { kind, scope, entity, records, expected, quotaLeft, result } = progress;
      read.set(`${scope} ${entity}`, records);
      const all = [...read.values()].reduce((sum, one) => sum + one, 0);
      const seconds = (performance.now() - began) / 1000;
      const rate = Math.round(all / Math.max(0.001, seconds));
      const quota = quotaLeft === undefined ? "" : ` · ${quotaLeft} points left`;
      if (kind === "page") {
        const left =
          expected === undefined || expected <= records ? "" : ` of about ${expected}, ${timeLeft(expected - records, rate)}`;
        line(`  ${scope} ${entity}: ${records}${left} · ${rate} records/s${quota}`, false);
      } else if (result !== undefined) {
        const { inserted, changed, removed, outcome, problem } = result;
        const counts = `${inserted} new, ${changed} changed, ${removed} removed`;
        const why = outcome === "skipped" ? skipped : problem?.message;
        const calls = `${result.calls} ${result.calls === 1 ? "call" : "calls"}, ${result.points} points`;
        const end =
          outcome === "complete" ? `${counts} · ${calls}` : `${counts} · ${outcome}${why === undefined ? "" : `: ${why}`}`;
        line(`${outcome === "complete" ? "✓" : "✗"} ${scope} ${entity}: ${end}`, true);
      }
    },
    embedding: ({ waiting, problem }) => {
      if (problem !== undefined)
        line(`✗ search by meaning: ${problem} ${waiting} texts wait, and the next sync goes on with them.`, true);
      else if (waiting > 0) line(`  search by meaning: ${waiting} texts are still to be embedded`, false);
      else line("✓ search by meaning: all texts are embedded", true);
    },
    end: ({ outcome }) => line(endings[outcome], true),
  };
}

/** Why an entity was skipped. */
const skipped = "An entity that it depends on was not read, or the sync was stopped.";

/** The last line of a sync. */
const endings = {
  complete: "Sync complete.",
  partial: "Sync partial: not everything was read. Run it again; it goes on from where it stopped.",
  refused: "Sync refused: more than half of some records would have been removed, so none of these was.",
} as const satisfies Record<SyncResult["outcome"], string>;

function timeLeft(records: number, rate: number): string {
  const seconds = Math.ceil(records / Math.max(1, rate));
  return seconds < 90 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}
