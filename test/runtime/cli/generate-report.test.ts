import { describe, expect, it } from "vitest";
import { noBar } from "../../../runtime/cli/output/progress-bar.ts";
import { generateReport } from "../../../runtime/cli/spec/generate-report.ts";
import { toProgram } from "../../support/command-output.ts";

const changes = [
  { kind: "wrote", path: "generated/notes/index.ts" },
  { kind: "removed", path: "generated/notes/old.ts" },
] as const;

/** The lines of JSON that a report writes. */
async function reported(write: (report: ReturnType<typeof generateReport>) => void) {
  const { lines, errors } = await toProgram(async () => {
    write(generateReport(noBar));
    return 0;
  });
  const read = (texts: readonly string[]): unknown[] => texts.filter((text) => text !== "").map((text) => JSON.parse(text));
  return { events: read(lines), problems: read(errors.split("\n")) };
}

describe("the report of a generator run for a program", () => {
  it("has a line for each file that was written, and one at the end", async () => {
    const { events } = await reported((report) => report.written(changes, 7, 20));
    expect(events).toEqual([
      { event: "wrote", path: "generated/notes/index.ts" },
      { event: "removed", path: "generated/notes/old.ts" },
      { event: "done", files: 7, changed: 2, ms: 20 },
    ]);
  });

  it("names the folder that is watched", async () => {
    expect((await reported((report) => report.watching("spec"))).events).toEqual([{ event: "watching", folder: "spec" }]);
  });

  it("lists each file that differs among the problems", async () => {
    expect(await reported((report) => report.differences(changes))).toEqual({
      events: [],
      problems: [
        { code: "file_differs", path: "generated/notes/index.ts" },
        { code: "file_left_over", path: "generated/notes/old.ts" },
      ],
    });
  });
});
