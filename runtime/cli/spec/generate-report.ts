import { type Report, textReport } from "../../../generator/index.ts";
import type { ProgressBar } from "../output/progress-bar.ts";
import { out } from "../output/standard-output.ts";
import { writeDiagnostics } from "./diagnostics.ts";

/** What `tenon generate` says: texts on a terminal, one line of JSON for each message and each problem elsewhere. */
export function generateReport(bar: ProgressBar): Report {
  const event = (one: object) => void out.line(JSON.stringify(one));
  const messages: Pick<Report, "written" | "watching"> = out.isTTY
    ? textReport
    : {
        written: (changes, files, ms) => {
          for (const { kind, path } of changes) event({ event: kind, path });
          event({ event: "done", files, changed: changes.length, ms });
        },
        watching: (folder) => event({ event: "watching", folder }),
      };
  const problems: Pick<Report, "problems" | "differences"> = process.stderr.isTTY
    ? textReport
    : {
        problems: (diagnostics) => writeDiagnostics(diagnostics),
        differences: (changes) => {
          for (const { kind, path } of changes)
            process.stderr.write(`${JSON.stringify({ code: kind === "wrote" ? "file_differs" : "file_left_over", path })}\n`);
        },
      };
  return {
    step: (connector, done, total) => bar.show({ text: connector, done, total }),
    problems: (diagnostics) => bar.aside(() => problems.problems(diagnostics)),
    differences: (changes) => bar.aside(() => problems.differences(changes)),
    written: (changes, files, ms) => bar.aside(() => messages.written(changes, files, ms)),
    watching: (folder) => bar.aside(() => messages.watching(folder)),
  };
}
