import { describe, expect, it } from "vitest";
import { terminal } from "../../../runtime/cli/sync-progress.ts";
import type { EntityResult, Progress } from "../../../runtime/sync/index.ts";

const hello = { scope: "repository=octocat/hello-world", entity: "issues" };
const page = (records: number, more: Partial<Progress> = {}): Progress => ({
  kind: "page",
  ...hello,
  records,
  expected: undefined,
  spent: { calls: 1, points: 3 },
  quotaLeft: 4321,
  ...more,
});
const end = (more: Partial<EntityResult>): Progress => ({
  ...page(200),
  kind: "end",
  result: {
    ...hello,
    outcome: "complete",
    full: true,
    inserted: 150,
    changed: 40,
    unchanged: 10,
    removed: 3,
    calls: 2,
    points: 6,
    ...more,
  },
});

function shown(progress: readonly Progress[]): string {
  let text = "";
  const show = terminal({ write: (part) => (text += part) });
  for (const one of progress) show.progress(one);
  show.end({ outcome: "partial", entities: [], probes: { calls: 0, points: 0 } });
  return text;
}

/** The lines that a terminal shows: a carriage return and "erase the line" replace the last line. */
function screen(text: string): string[] {
  return text.split("\n").map((line) => line.split("\r\u001b[K").at(-1) ?? "");
}

const partial = "Sync partial: not everything was read. Run it again; it goes on from where it stopped.";

describe("progress on a terminal", () => {
  it("is one moving line with counts, rate, quota and an estimate", () => {
    const text = shown([page(100), page(200, { expected: 5_000, quotaLeft: undefined })]);
    const [first, second] = text.split("\r\u001b[K");
    expect(first).toMatch(/^ {2}repository=octocat\/hello-world issues: 100 · \d+ records\/s · 4321 points left$/);
    expect(second).toMatch(/issues: 200 of about 5000, \d+ (s|min) left · \d+ records\/s$/);
    expect(screen(text)).toEqual([partial, ""]);
  });

  it("leaves a line for every entity, and says why one failed", () => {
    const problem = { code: "platform_failed" as const, message: "The platform failed." };
    const text = shown([
      page(100),
      end({}),
      page(5, { entity: "labels" }),
      end({ entity: "labels", outcome: "failed", problem }),
      end({ outcome: "skipped", inserted: 0, changed: 0, removed: 0 }),
    ]);
    expect(screen(text)).toEqual([
      "✓ repository=octocat/hello-world issues: 150 new, 40 changed, 3 removed · 2 calls, 6 points",
      "✗ repository=octocat/hello-world issues: 150 new, 40 changed, 3 removed · failed: The platform failed.",
      "✗ repository=octocat/hello-world issues: 0 new, 0 changed, 0 removed · skipped: An entity that it depends on was not read, or the sync was stopped.",
      partial,
      "",
    ]);
  });
});
