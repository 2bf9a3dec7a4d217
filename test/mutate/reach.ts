import { appendFileSync, createReadStream, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { copyWith, root } from "./copy.ts";
import type { Mutant } from "./mutants.ts";
import { type Ended, Tests } from "./run.ts";

/** Which test files reach which mutants. */
export interface Reach {
  /** Test files that pass without a mutant, with the seconds that each takes. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Test files that fail in a copy whose text is changed, such as those that check the style of the sources. They catch nothing. */
  readonly unfit: readonly string[];
  /** The test files that reach each requested mutant, by its number. */
  readonly tests: ReadonlyMap<number, readonly string[]>;
}

/**
 * Runs all tests once with a switch at every mutant, but for those that an earlier run with the same tree has recorded: a recording that
 * was cut off goes on where it ended.
 *
 * @param asked The numbers of the mutants of which to know it.
 * @param hash Of the tree. Names the folder of the record.
 * @param isWanted Whether to use a test file.
 */
export async function recordReach(
  files: readonly string[],
  mutants: readonly Mutant[],
  asked: ReadonlySet<number>,
  hash: string,
  isWanted: (test: string) => boolean,
): Promise<Reach> {
  const folder = join(root, ".cache/mutants", hash);
  mkdirSync(folder, { recursive: true });
  const reached = join(folder, "reached");
  const endings = join(folder, "ended");
  const wanted = files.filter((file) => file.startsWith("test/") && file.endsWith(".test.ts") && isWanted(file));
  const ended = readEnded(endings);
  // What failed gets a second chance, where it is not disturbed by others.
  for (const chance of ["first", "second"] as const) {
    const isLeft = (test: string) => ended.get(test) === undefined || (chance === "second" && isUnfit(ended, test));
    const left = wanted.filter(isLeft).sort((a, b) => rank(a) - rank(b));
    if (left.length === 0) continue;
    console.log(`${left.length} test files run once, to record which of them reach which mutant.`);
    const copy = copyWith(files, new Map(mutants.entries()), reached);
    const tests = new Tests(copy.folder);
    try {
      for (const order of chance === "first" ? [left] : left.map((test) => [test]))
        await tests.run(
          { tests: order, bail: false, fresh: false },
          () => Number.POSITIVE_INFINITY,
          (one) => {
            ended.set(one.test, [...(ended.get(one.test) ?? []), one]);
            appendFileSync(endings, `${JSON.stringify(one)}\n`);
          },
        );
    } finally {
      await tests.close();
      copy.remove();
    }
  }
  const fit = wanted.filter((test) => ended.has(test) && ended.get(test)?.some(({ failed }) => failed === undefined));
  const seconds = Object.fromEntries(fit.map((test) => [test, Math.min(...(ended.get(test) ?? []).map((one) => one.seconds))]));
  return { seconds, unfit: wanted.filter((test) => !fit.includes(test)), tests: await readReached(reached, new Set(fit), asked) };
}

const isUnfit = (ended: ReadonlyMap<string, readonly Ended[]>, test: string) =>
  ended.get(test)?.length === 1 && ended.get(test)?.[0]?.failed !== undefined;

/** Tests of single parts first: with these alone, a recording is useful already. */
const rank = (test: string) => (/^test\/(runtime|generator)\//.test(test) ? 0 : /^test\/e2e\//.test(test) ? 2 : 1);

function readEnded(file: string): Map<string, Ended[]> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return Map.groupBy(
    lines.map((line) => JSON.parse(line) as Ended),
    ({ test }) => test,
  );
}

async function readReached(
  file: string,
  fit: ReadonlySet<string>,
  asked: ReadonlySet<number>,
): Promise<Map<number, readonly string[]>> {
  const tests = new Map<number, Set<string>>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [number = "", test = ""] = line.split("\t");
    if (!asked.has(Number(number)) || !fit.has(test)) continue;
    tests.set(Number(number), (tests.get(Number(number)) ?? new Set()).add(test));
  }
  return new Map([...tests].map(([number, some]) => [number, [...some]]));
}
