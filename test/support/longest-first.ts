import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Small files that take long, because their tests are in modules that several of them share. Vitest begins with the largest files where it
 * does not know how long each takes: these would come last, and one core would wait for the other.
 */
const long = /conformance|simulator\/github\.test|determinism|large-records|parts-of-words/;

/** The order of the files: in each project those that take long come first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...sorted.values()].flatMap((own) => [
      ...own.filter(({ moduleId }) => long.test(moduleId)),
      ...own.filter(({ moduleId }) => !long.test(moduleId)),
    ]);
  }
}
