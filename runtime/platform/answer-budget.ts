import type { Headers } from "./failure.ts";

const mebibyte = 1024 * 1024;

/** Bytes that one answer may have. A page of 100 records with the longest texts may have more; then a smaller page is asked for. */
const largestAnswer = 16 * mebibyte;
/** Bytes that all answers that are being read or parsed may have together. */
const largestTotal = 64 * mebibyte;
/** Bytes of each answer that do not count towards the total, so that most answers do not count at all. */
const free = mebibyte / 4;

interface Beginning {
  readonly status: number;
  readonly headers: Headers;
}

/** Thrown when an answer is larger than one answer may be. */
export class AnswerTooLarge extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly limit = largestAnswer / mebibyte;

  constructor({ status, headers }: Beginning) {
    super(`an answer has more than ${largestAnswer / mebibyte} MiB`);
    this.status = status;
    this.headers = headers;
  }
}

/** Thrown when too many large answers come at the same time. A later try may find room. */
export class TooManyLargeAnswers extends Error {
  constructor() {
    super(`the answers of platforms that are being read have more than ${largestTotal / mebibyte} MiB together`);
  }
}

/** The part of the budget that one answer takes while it is read and parsed. */
export interface AnswerRoom {
  /** @throws AnswerTooLarge, TooManyLargeAnswers */
  take(bytes: number): void;
  close(): void;
}

/** Limits the memory that answers of platforms take, for each answer and for all together. */
export class AnswerBudget {
  #taken = 0;

  open(beginning: Beginning): AnswerRoom {
    let size = 0;
    let counted = 0;
    return {
      take: (bytes) => {
        size += bytes;
        if (size > largestAnswer) throw new AnswerTooLarge(beginning);
        const more = Math.max(0, size - free) - counted;
        if (this.#taken + more > largestTotal) throw new TooManyLargeAnswers();
        this.#taken += more;
        counted += more;
      },
      close: () => {
        this.#taken -= counted;
        counted = 0;
      },
    };
  }
}

/** The budget of this process. All platforms share it, because they share the memory. */
export const answerBudget = new AnswerBudget();
