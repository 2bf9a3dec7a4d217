import { execFileSync } from "node:child_process";
import { basename, join } from "node:path";
import { BaseSequencer, createVitest, type TestModule, type TestSpecification } from "vitest/node";

// `make quick`: the tests that the changes since a revision reach by their imports, the nearest and the shortest first, in a minute.

const [, , since = "main"] = process.argv;
/** Milliseconds after which no further test starts. The rest of the minute is for the tests that run by then. */
const longest = 45_000;
/** Milliseconds after which the tests that still run are cut off. */
const lastMoment = 57_000;

const root = join(import.meta.dirname, "..");
const lines = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n").filter(Boolean);
/** The name of what a file is or tests: tests are named after the file that they test. */
const nameOf = (path: string) => basename(path).replace(/(\.test)?\.[jt]s$/, "");

const [base = "HEAD"] = lines("merge-base", since, "HEAD");
const changed = [...lines("diff", "--name-only", base), ...lines("ls-files", "--others", "--exclude-standard")];
const names = new Set(changed.map(nameOf));

/** Tests named after a changed file, then those of single parts, then those that start more. */
function distance({ moduleId }: TestSpecification): number {
  if (names.has(nameOf(moduleId))) return 0;
  return /\/test\/(docs|e2e|package|property)\//.test(moduleId) ? 2 : 1;
}

let reached = 0;

class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    reached = files.length;
    const duration = (file: TestSpecification) => this.ctx.cache.getTestSpecificationResult(file)?.duration ?? 0;
    return [...files].sort((a, b) => distance(a) - distance(b) || duration(a) - duration(b));
  }
}

const begun = performance.now();
const vitest = await createVitest({
  config: join(root, "test/vitest.config.ts"),
  run: true,
  watch: false,
  changed: base,
  passWithNoTests: true,
  sequence: { sequencer: NearestFirst },
});
const timer = setTimeout(() => void vitest.cancelCurrentRun("keyboard-input"), longest - (performance.now() - begun));
setTimeout(() => tell(vitest.state.getTestModules()), lastMoment - (performance.now() - begun)).unref();
const { testModules } = await vitest.start().catch((thrown: unknown) => {
  // Vitest takes it for an error when no test is reached.
  if (thrown instanceof Error && "code" in thrown && thrown.code === "VITEST_FILES_NOT_FOUND") return { testModules: [] };
  throw thrown;
});
clearTimeout(timer);
await vitest.close();
tell(testModules);

/** Whether tests of a file were to run and did not, because the time was up. */
function isCutOff({ children }: TestModule): boolean {
  return [...children.allTests("skipped")].some(({ options }) => options.mode === "run");
}

/** Says what has run, and ends. What still runs then would take the rest of the minute. */
function tell(modules: readonly TestModule[]): void {
  const states = modules.map((module) => module.state());
  const ended = modules.filter((module) => ["passed", "failed"].includes(module.state()) && !isCutOff(module)).length;
  const rest = reached - ended;
  const told = rest === 0 ? "all ran" : `${ended} ran, and make test runs the other ${rest}`;
  console.log(`${changed.length} changed files reach ${reached} test files: ${told}.`);
  process.exit(states.includes("failed") ? 1 : 0);
}
