import { rmSync } from "node:fs";
import { join } from "node:path";
import type { ProvidedContext } from "vitest";
import { BaseSequencer, createVitest, type TestCase, type TestModule, type TestSpecification } from "vitest/node";

// Runs test files of the copy in which it stands, again and again with other mutants on: a process of its own, with which `Tests` talks.
// What vitest has read and compiled stays, which saves several seconds each time.

/** What to run. */
export interface Order {
  readonly tests: readonly string[];
  /** Whether to end at the first failure. */
  readonly bail: boolean;
  /** Whether to make anew what all tests share: the packed package and the command. */
  readonly fresh: boolean;
}

/** A test file has begun or ended, or all have ended: then `failed` has what no test file was blamed for. */
export type Told =
  | { readonly kind: "ready" }
  | { readonly kind: "begun"; readonly test: string }
  | { readonly kind: "ended"; readonly test: string; readonly seconds: number; readonly failed?: string }
  | { readonly kind: "all"; readonly failed?: string };

const folder = process.cwd();
const tell = (told: Told) => void process.send?.(told);
const nameOf = ({ moduleId }: { readonly moduleId: string }) => moduleId.replace(`${folder}/`, "");
let order: readonly string[] = [];
let endsEarly = false;

class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => order.indexOf(nameOf(a)) - order.indexOf(nameOf(b)));
  }
}

const onTestModuleQueued = (module: TestModule) => tell({ kind: "begun", test: nameOf(module) });

const onTestCaseResult = (test: TestCase) => {
  if (endsEarly && test.result().state === "failed") void vitest.cancelCurrentRun("test-failure");
};

const onTestModuleEnd = (module: TestModule) => {
  const test = nameOf(module);
  const seconds = module.diagnostic().duration / 1000;
  const state = module.state();
  if (state === "passed" || state === "skipped") tell({ kind: "ended", test, seconds });
  if (state !== "failed") return;
  if (endsEarly) void vitest.cancelCurrentRun("test-failure");
  const [first] = [...module.children.allTests("failed")];
  tell({ kind: "ended", test, seconds, failed: `${test}: ${first?.fullName ?? "the file itself"}` });
};

const vitest = await createVitest({
  config: join(folder, "test/mutants.config.ts"),
  watch: false,
  reporters: [{ onTestModuleQueued, onTestCaseResult, onTestModuleEnd }],
  sequence: { sequencer: InOrder },
});
const specifications = new Map((await vitest.globTestSpecifications()).map((one) => [nameOf(one), one]));

process.on("message", async ({ tests, bail, fresh }: Order) => {
  order = tests;
  endsEarly = bail;
  if (fresh) removeShared();
  const chosen = tests.flatMap((test) => specifications.get(test) ?? []);
  const { unhandledErrors } = await vitest.runTestSpecifications(chosen, false);
  if (fresh) removeShared();
  for (const thrown of unhandledErrors) {
    const { message, VITEST_TEST_PATH: path } = thrown as { readonly message?: string; readonly VITEST_TEST_PATH?: string };
    const test = path === undefined ? undefined : nameOf({ moduleId: path });
    const failed = `${test ?? "vitest"}: ${message}`;
    tell(test === undefined ? { kind: "all", failed } : { kind: "ended", test, seconds: 0, failed });
  }
  tell({ kind: "all" });
});
process.on("disconnect", () => process.exit());
tell({ kind: "ready" });

/** Nothing is there before the first run. */
function removeShared(): void {
  const { packageFolder, siteFolder, commandFolder }: Partial<ProvidedContext> = vitest.getProvidedContext();
  for (const shared of [packageFolder, siteFolder, commandFolder])
    if (shared !== undefined) rmSync(shared, { recursive: true, force: true });
}
