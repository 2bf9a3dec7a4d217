import { TenonError } from "../../../runtime/base/errors.ts";
import { serveCalls } from "../../../runtime/base/serve-calls.ts";

/** What the thread of the tests of calls does. */
export interface NumbersApi {
  /** Adds to a number, and returns it. */
  add(by: number): number;
  sum(bytes: Uint8Array): number;
  refuse(): void;
  crash(): void;
}

serveCalls<NumbersApi, number>((first) => {
  if (first < 0) throw new RangeError("below zero");
  let number = first;
  return {
    methods: {
      add: (by) => {
        number += by;
        return number;
      },
      sum: (bytes) => bytes.reduce((sum, one) => sum + one, 0),
      refuse: () => {
        throw new TenonError("overloaded", "Later.", { retryAfter: 7 });
      },
      crash: () => process.exit(1),
    },
  };
});
