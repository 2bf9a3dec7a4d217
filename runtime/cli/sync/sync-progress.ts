import { visibleLine } from "../../base/visible-text.ts";
import type { EmbeddingProgress, Progress, SyncResult } from "../../sync/index.ts";
import type { ProgressBar } from "../output/progress-bar.ts";
import { misfitText, repeatedText } from "./sync-status.ts";

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

/**
 * Progress for people: one line per entity that was read, one for the texts that were embedded, and one that says where the cache is.
 *
 * @param place as of `cachePlace`
 */
export function lines(out: { write(text: string): unknown }, bar: ProgressBar, place: string): Show {
  const line = (text: string) => bar.aside(() => void out.write(`${visibleLine(text)}\n`));
  /** Scopes of which a line has said that the platform does not have them, with its words. */
  const missing = new Set<string>();
  return {
    progress: ({ scope, entity, result }) => {
      if (result === undefined) return;
      const { inserted, changed, removed, outcome, problem } = result;
      if (problem?.code === "not_found") {
        const said = `${scope} ${problem.message}`;
        if (missing.has(said)) return;
        missing.add(said);
      }
      const counts = `${inserted} new, ${changed} changed, ${removed} removed`;
      if (result.repeated > 0) line(`! ${scope} ${entity}: ${repeatedText(result.repeated)}`);
      const misfits = misfitText(result.misfits ?? {});
      if (misfits !== undefined) line(`! ${scope} ${entity}: ${misfits}`);
      const why = outcome === "skipped" ? skipped : problem?.message;
      const calls = `${result.calls} ${result.calls === 1 ? "call" : "calls"}, ${result.points} points`;
      const end =
        outcome === "complete" ? `${counts} · ${calls}` : `${counts} · ${outcome}${why === undefined ? "" : `: ${why}`}`;
      line(`${outcome === "complete" ? "✓" : "✗"} ${scope} ${entity}: ${end}`);
    },
    embedding: ({ waiting, problem }) => {
      if (problem !== undefined)
        line(`✗ search by meaning: ${problem} ${waiting} texts wait, and the next sync continues with them.`);
      else if (waiting === 0) line("✓ search by meaning: all texts are embedded");
    },
    end: ({ outcome }) => line(`${syncEndings[outcome]} The cache is ${place}.`),
  };
}

/** Shows on a bar how far the reading and the embedding are, besides what `show` does. */
export function withBar(show: Show, bar: ProgressBar): Show {
  const began = performance.now();
  /** Records read so far, by scope and entity, because several scopes are read at the same time. */
  const read = new Map<string, number>();
  let mostWaiting = 0;
  return {
    progress: (progress) => {
      const { kind, scope, entity, records, expected, quotaLeft } = progress;
      read.set(`${scope} ${entity}`, records);
      if (kind === "page") {
        const all = [...read.values()].reduce((sum, one) => sum + one, 0);
        const rate = Math.round(all / Math.max(0.001, (performance.now() - began) / 1000));
        const quota = quotaLeft === undefined ? "" : ` · ${quotaLeft} points left`;
        const total = expected === undefined || expected <= records ? undefined : expected;
        const left = total === undefined ? "" : ` of about ${total}, ${timeLeft(total - records, rate)}`;
        const text = `${scope} ${entity}: ${records}${left} · ${rate} records/s${quota}`;
        bar.show({ text, done: records, total });
      }
      show.progress(progress);
    },
    embedding: (progress) => {
      const { waiting } = progress;
      mostWaiting = Math.max(mostWaiting, waiting);
      const text = `search by meaning: ${waiting} texts are still to be embedded`;
      bar.show({ text, done: mostWaiting - waiting, total: mostWaiting });
      show.embedding(progress);
    },
    end: (result) => {
      bar.end();
      show.end(result);
    },
  };
}

/** Why an entity was skipped. */
const skipped = "An entity that it depends on was not read, or the sync was stopped.";

/** The last line of a sync. */
export const syncEndings = {
  complete: "Sync complete.",
  partial: "Sync partial: not everything was read. Run it again; it continues where it stopped.",
  missing: "Sync ended: the platform has no such scope, or the token may not see it.",
  refused: "Sync refused: more than half of some records would have been removed, so none of these was.",
} as const satisfies Record<SyncResult["outcome"], string>;

function timeLeft(records: number, rate: number): string {
  const seconds = Math.ceil(records / Math.max(1, rate));
  return seconds < 90 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`;
}
