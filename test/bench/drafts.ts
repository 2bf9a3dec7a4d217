import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { initSpec } from "../../generator/init/init.ts";

// Drafts a connector from every description in a folder, and says what came of each:
//
//   make drafts FROM=folder
//
// A refusal says in words why a description has no draft, such as Swagger 2.0. Anything else that is thrown is a crash. A draft is complete
// when the generator accepts it, apart from texts that are marked TODO. One in which the author has to replace a value TODO is to decide. A
// draft with any other diagnostic is wrong.

/** An author waits for no longer. */
const longest = 10;

interface Outcome {
  readonly file: string;
  readonly seconds: number;
  readonly kind: "complete" | "to decide" | "wrong" | "refused" | "crash";
  readonly said: string;
}

async function draft(folder: string, file: string): Promise<Outcome> {
  const spec = mkdtempSync(join(tmpdir(), "tenon-drafts-"));
  const from = join(folder, file);
  const started = performance.now();
  const outcome = (kind: Outcome["kind"], said: string): Outcome => ({
    file,
    seconds: (performance.now() - started) / 1000,
    kind,
    said: said.replaceAll("\n", " ").slice(0, 200),
  });
  try {
    const name = `draft-${basename(file)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")}`.replace(/-$/, "");
    const made = await initSpec({ name, ...(file.endsWith(".graphql") ? { graphql: from } : { openApi: from }), only: [], spec });
    const counts = `${made.entities} entities, ${made.fields} fields, ${made.actions} actions, ${made.todos} TODO, ${made.left.length} left out`;
    const silent = made.left.filter((line) => !line.includes(": ") && !/ (has|is|are|no|not|needs|does) /.test(line));
    const more = silent.length === 0 ? "" : `; without a reason: ${silent.slice(0, 3).join(" | ")}`;
    const wrong = made.diagnostics.filter(({ message }) => !message.includes("TODO"));
    const [first = made.diagnostics[0]] = wrong;
    return first === undefined
      ? outcome("complete", counts + more)
      : outcome(
          wrong.length > 0 ? "wrong" : "to decide",
          `${counts}${more}; ${made.diagnostics.length} diagnostics, first: ${first.code} ${first.message}`,
        );
  } catch (thrown) {
    const isRefusal = thrown instanceof Error && thrown.constructor === Error;
    return outcome(isRefusal ? "refused" : "crash", thrown instanceof Error ? thrown.message : String(thrown));
  } finally {
    rmSync(spec, { recursive: true, force: true });
  }
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node test/bench/drafts.ts FOLDER");
const outcomes: Outcome[] = [];
for (const file of readdirSync(folder).sort()) {
  const one = await draft(folder, file);
  outcomes.push(one);
  console.log(`${one.seconds.toFixed(1).padStart(5)} s  ${one.kind.padEnd(9)}  ${file}: ${one.said}`);
}
const count = (kind: Outcome["kind"]) => outcomes.filter((one) => one.kind === kind).length;
const slow = outcomes.filter(({ seconds }) => seconds > longest).map(({ file }) => file);
console.log(
  `${outcomes.length} descriptions: ${count("complete")} complete, ${count("to decide")} to decide, ${count("wrong")} wrong, ${count("refused")} refused, ${count("crash")} crashes; slower than ${longest} s: ${slow.join(", ") || "none"}`,
);
if (count("crash") + count("wrong") > 0) process.exitCode = 1;
