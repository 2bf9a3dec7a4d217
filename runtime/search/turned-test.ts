import { Rounds } from "../base/rounds.ts";
import type { SearchField } from "../contract/index.ts";
import type { Condition } from "./condition.ts";
import { interpretInSteps, type RecordObject } from "./interpret.ts";

/** Characters that are tested before other work of this process has its turn. The costliest pattern takes some milliseconds for them. */
const testedAtOnce = 65_536;

/** All tests together have one turn in each round, so that they never hold up anything else. */
const rounds = new Rounds({ most: 1 });

/** Tests records for a condition in this process, in turns with other work. */
export class TurnedTest {
  readonly #steps: ReturnType<typeof interpretInSteps>;
  readonly #caller: string;
  readonly #begun: () => void;
  /** Characters that may be tested before the next turn. */
  #left = 0;

  /**
   * @param caller id of whose tests these are: callers have their turns one after the other
   * @param begun called when a turn begins; what it throws ends the test
   */
  constructor(
    condition: Condition,
    fields: Readonly<Record<string, SearchField>>,
    caller: string,
    begun: () => void = () => undefined,
  ) {
    this.#steps = interpretInSteps(condition, fields);
    this.#caller = caller;
    this.#begun = begun;
  }

  /** @param size characters that `read` reads to make the record */
  async holds(size: number, read: () => RecordObject): Promise<boolean> {
    if (this.#left <= 0) await this.#turn();
    this.#left -= size;
    const tests = this.#steps(read());
    for (;;) {
      const step = tests.next();
      if (step.done === true) return step.value;
      if (this.#left <= 0) await this.#turn();
      this.#left -= step.value;
    }
  }

  async #turn(): Promise<void> {
    await rounds.turn(this.#caller);
    this.#begun();
    this.#left = testedAtOnce;
  }
}
