import { grouped } from "../base/grouped.ts";
import { SharedRoom } from "../base/shared-room.ts";
import type { Headers } from "./failure.ts";

const mebibyte = 1024 * 1024;

/** Bytes that one response may have. A page of 100 records with the longest texts may have more; then a smaller page is requested. */
const largestAnswer = 16 * mebibyte;
/** JSON values that one answer may have. Short values take many times their length in memory. A page of 100 records has far fewer. */
export const mostValues = 1_000_000;
/** MiB that parsing may take. */
export const mostMemory = 256;
/** Bytes that all answers that are being read or parsed may have together. */
const largestTotal = 64 * mebibyte;
/** How much of that one caller may have: three of the largest answers, beside which there is room for one of another caller. */
const share = 0.75;
/** Bytes of each answer that do not count towards the total, so that most answers do not count at all. */
const free = mebibyte / 4;

interface Beginning {
  readonly status: number;
  readonly headers: Headers;
}

/** What an answer is beyond, for messages. */
const limits = {
  bytes: `${largestAnswer / mebibyte} MiB`,
  values: `${grouped(mostValues)} values`,
  memory: `${mostMemory} MiB of memory to parse`,
} as const;

/** Thrown when an answer is larger than one answer may be. */
export class AnswerTooLarge extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly limit: string;

  constructor({ status, headers }: Beginning, limit: keyof typeof limits) {
    super(`a response has more than ${limits[limit]}`);
    this.status = status;
    this.headers = headers;
    this.limit = limits[limit];
  }
}

/** Thrown when too many large answers come at the same time. A later try may find room. */
export class TooManyLargeAnswers extends Error {
  constructor() {
    super(`the responses of platforms that are being read have more than ${largestTotal / mebibyte} MiB together`);
  }
}

/** The part of the budget that one answer takes while it is read and parsed. */
export interface AnswerRoom {
  /** @throws AnswerTooLarge, TooManyLargeAnswers */
  take(bytes: number): void;
  close(): void;
}

/** Opens the room of an answer that begins. */
export interface AnswerRooms {
  open(beginning: Beginning): AnswerRoom;
}

/** Limits the memory that answers of platforms take, for each answer and for all together, of which one caller cannot take all. */
export class AnswerBudget {
  readonly #all = new SharedRoom(largestTotal, share);

  /** @param caller for whom the answers are; empty for the service itself */
  of(caller: string): AnswerRooms {
    return { open: (beginning) => this.#open(caller, beginning) };
  }

  #open(caller: string, beginning: Beginning): AnswerRoom {
    let size = 0;
    let counted = 0;
    return {
      take: (bytes) => {
        size += bytes;
        if (size > largestAnswer) throw new AnswerTooLarge(beginning, "bytes");
        const more = Math.max(0, size - free) - counted;
        if (more === 0) return;
        if (!this.#all.has(caller, more)) throw new TooManyLargeAnswers();
        this.#all.take(caller, more);
        counted += more;
      },
      close: () => {
        if (counted > 0) this.#all.give(caller, counted);
        counted = 0;
      },
    };
  }
}

/** The budget of this process. All platforms share it, because they share the memory. */
export const answerBudget = new AnswerBudget();
