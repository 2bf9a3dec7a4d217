import { within } from "../base/deadline.ts";
import { TenonError } from "../base/errors.ts";
import { RestartedWorker, WorkerCalls } from "../base/worker-calls.ts";
import type { Table } from "../contract/index.ts";
import type { BoundStatement } from "./algebra.ts";
import { statementLimits } from "./bind.ts";
import { statementFault } from "./fault.ts";
import type { Mistake } from "./syntax.ts";

export type Parsed = { readonly statement: BoundStatement } | { readonly mistake: Mistake };

/** What the thread serves. */
export interface ParseApi {
  parse(text: string, tables: readonly Table[], now: number): Promise<Parsed>;
}

/** Milliseconds for one statement and those before it. The longest that is allowed takes a tenth of a second. */
const parseTime = 2_000;
/** Milliseconds in which the thread must have loaded the parser, which is no fault of the statement that comes first. */
const loadTime = 20_000;
/** Statements that may wait for the thread. */
const mostWaiting = 100;

const worker = new RestartedWorker<ParseApi>(
  () =>
    new WorkerCalls(new URL("./parse-thread.ts", import.meta.url), {
      name: "the thread that parses SQL",
      heap: 256,
      idle: "may end",
      idleTime: 60_000,
    }),
);

/**
 * Parses a statement and checks it against the tables that a caller may read.
 *
 * @returns the statement in our own form: nothing of the text reaches an engine but values, as bound parameters
 * @throws TenonError `invalid_request` for a statement that is wrong or not supported, `overloaded` when too many wait, or when the
 *   parser failed while others were before it
 */
export async function parseStatement(text: string, tables: readonly Table[]): Promise<BoundStatement> {
  if (Buffer.byteLength(text) > statementLimits.bytes)
    throw statementFault({
      message: `A statement has at most ${statementLimits.bytes.toLocaleString("en")} bytes.`,
      at: undefined,
    });
  // The parser takes U+0000 for the end, and a lone surrogate is no character.
  if (text.includes("\0") || !text.isWellFormed())
    throw statementFault({ message: "A statement has neither U+0000 nor lone surrogates.", at: undefined });
  const { calls } = worker;
  if (calls.waiting >= mostWaiting)
    throw new TenonError("overloaded", "Too many statements are waiting. Try again shortly.", { retryAfter: 1 });
  const isAlone = calls.waiting === 0;
  let isLoaded = false;
  const tooHard = statementFault({ message: "The statement is too hard to parse. Make it shorter.", at: undefined });
  const parsing = calls.call("parse", text, tables, Date.now());
  parsing.catch(() => undefined);
  const parse = async () => {
    const loaded = calls.ready.then(() => true);
    isLoaded = await within(loadTime, loaded, () => false);
    return within(parseTime, parsing, () => {
      throw tooHard;
    });
  };
  const parsed = await parse().catch((thrown: unknown) => {
    // Whatever the parser did with this statement, the next one gets another parser.
    void calls.terminate();
    // The fault may be that of a statement before this one, which a second try does not meet.
    if (!isAlone || !isLoaded)
      throw new TenonError("overloaded", "The parser was busy. Try again shortly.", { retryAfter: 1, cause: thrown });
    throw thrown === tooHard
      ? thrown
      : new TenonError("invalid_request", tooHard.message, { faults: tooHard.faults, cause: thrown });
  });
  if ("mistake" in parsed) throw statementFault(parsed.mistake, text);
  return parsed.statement;
}
