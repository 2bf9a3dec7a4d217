import type { Headers } from "./failure.ts";

const mebibyte = 1024 * 1024;

/** Bytes of one answer. A page of 100 records with the longest texts may have more: then a smaller page is asked for. */
const largestAnswer = 16 * mebibyte;
/** Bytes of all answers that are being read or parsed at the same time. */
const largestTotal = 64 * mebibyte;
/** Bytes of each answer that do not count towards the total: most answers are smaller. */
const free = mebibyte / 4;

interface Beginning {
  readonly status: number;
  readonly headers: Headers;
}

/** The platform sent more than one answer may have. */
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

/** Too many large answers came at the same time; a later try may find room. */
export class TooManyLargeAnswers extends Error {
  constructor() {
    super(`answers of the platform that are being read have more than ${largestTotal / mebibyte} MiB`);
  }
}

/** Room that one answer takes while it is read and parsed. */
export interface AnswerRoom {
  /** @throws AnswerTooLarge, TooManyLargeAnswers */
  take(bytes: number): void;
  close(): void;
}

/** Bounds the memory that answers of platforms take, one by one and all together. */
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

/** The budget of this process: its memory is what is bounded, whatever the number of platforms. */
export const answerBudget = new AnswerBudget();
