import { describe, expect, it } from "vitest";
import { noBar, type ProgressBar, type ProgressStep } from "../../../runtime/cli/output/progress-bar.ts";
import { lines, withBar } from "../../../runtime/cli/sync/sync-progress.ts";
import type { EmbeddingProgress, EntityResult, Progress } from "../../../runtime/sync/index.ts";

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
    repeated: 0,
    removed: 3,
    calls: 2,
    points: 6,
    ...more,
  },
});

/** What is written, and what the bar says meanwhile. */
function shown(progress: readonly Progress[], embedding: readonly EmbeddingProgress[] = []) {
  let text = "";
  const steps: ProgressStep[] = [];
  const bar: ProgressBar = { ...noBar, show: (step) => steps.push(step) };
  const show = withBar(lines({ write: (part) => (text += part) }, bar, "in /home/ada/.tenon"), bar);
  for (const one of progress) show.progress(one);
  for (const one of embedding) show.embedding(one);
  show.end({ outcome: "partial", entities: [], elsewhere: [], changeChecks: { calls: 0, points: 0 } });
  return { lines: text.split("\n"), steps };
}

const partial =
  "Sync partial: not everything was read. Run it again; it continues where it stopped. The cache is in /home/ada/.tenon.";

describe("progress on a terminal", () => {
  it("says once that the platform has no such scope", () => {
    const problem = { code: "not_found" as const, message: "There is no such thing." };
    const gone = ["issues", "tags"].map((entity) => end({ entity, outcome: "failed", problem }));
    expect(shown(gone).lines.filter((line) => line.includes(problem.message))).toHaveLength(1);
  });

  it("is a bar with counts, rate, quota and an estimate", () => {
    const { lines: written, steps } = shown([page(100), page(200, { expected: 5_000, quotaLeft: undefined })]);
    const issues = "repository=octocat\\/hello-world issues";
    expect(steps).toEqual([
      {
        text: expect.stringMatching(new RegExp(`^${issues}: 100 · \\d+ records/s · 4321 points left$`)),
        done: 100,
        total: undefined,
      },
      {
        text: expect.stringMatching(new RegExp(`^${issues}: 200 of about 5000, \\d+ (s|min) left · \\d+ records/s$`)),
        done: 200,
        total: 5_000,
      },
    ]);
    expect(written).toEqual([partial, ""]);
  });

  it("leaves a line for every entity, and says why one failed", () => {
    const problem = { code: "platform_failed" as const, message: "The platform failed." };
    const { lines: written } = shown([
      page(100),
      end({}),
      page(5, { entity: "labels" }),
      end({ entity: "labels", outcome: "failed", problem }),
      end({ outcome: "skipped", inserted: 0, changed: 0, removed: 0 }),
    ]);
    expect(written).toEqual([
      "✓ repository=octocat/hello-world issues: 150 new, 40 changed, 3 removed · 2 calls, 6 points",
      "✗ repository=octocat/hello-world issues: 150 new, 40 changed, 3 removed · failed: The platform failed.",
      "✗ repository=octocat/hello-world issues: 0 new, 0 changed, 0 removed · skipped: An entity that it depends on was not read, or the sync was stopped.",
      partial,
      "",
    ]);
  });

  it("warns above the line of an entity of what the platform has sent twice, or in another form", () => {
    const tags = { ...end({ repeated: 2, misfits: { "number unexpected_type": 3 } }), entity: "tags" };
    const { lines: written } = shown([end({ repeated: 1 }), tags]);
    expect(written.slice(0, -2)).toEqual([
      expect.stringMatching(/^! repository=octocat\/hello-world issues: One record came more than once/),
      expect.stringMatching(/^✓ repository=octocat\/hello-world issues: 150 new/),
      expect.stringMatching(/^! repository=octocat\/hello-world tags: 2 records came more than once/),
      expect.stringMatching(/^! repository=octocat\/hello-world tags: The platform sent values that do not fit/),
      expect.stringMatching(/^✓ repository=octocat\/hello-world tags: 150 new/),
    ]);
  });

  it("says why texts are not embedded, and how many wait", () => {
    const { lines: written } = shown([], [{ waiting: 40, problem: "The model cannot be reached." }]);
    expect(written[0]).toBe(
      "✗ search by meaning: The model cannot be reached. 40 texts wait, and the next sync continues with them.",
    );
  });

  it("shows how many texts are embedded", () => {
    const { lines: written, steps } = shown([], [{ waiting: 40 }, { waiting: 10 }, { waiting: 0 }]);
    expect(steps.map(({ done, total }) => [done, total])).toEqual([
      [0, 40],
      [30, 40],
      [40, 40],
    ]);
    expect(written).toEqual(["✓ search by meaning: all texts are embedded", partial, ""]);
  });
});
