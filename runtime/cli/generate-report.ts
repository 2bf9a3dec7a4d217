import { type Report, textReport } from "../../generator/index.ts";
import { writeDiagnostics } from "./diagnostics.ts";
import type { ProgressBar } from "./progress-bar.ts";

/** What `tenon generate` says: texts on a terminal, one line of JSON for each message and each problem elsewhere. */
export function generateReport(bar: ProgressBar): Report {
  const out = (event: object) => void process.stdout.write(`${JSON.stringify(event)}\n`);
  const messages: Pick<Report, "written" | "watching"> = process.stdout.isTTY
    ? textReport
    : {
        written: (changes, files, ms) => {
          for (const { kind, path } of changes) out({ event: kind, path });
          out({ event: "done", files, changed: changes.length, ms });
        },
        watching: (folder) => out({ event: "watching", folder }),
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
