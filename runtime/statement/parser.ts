import { withDeadline } from "../base/deadline.ts";
import { TenonError } from "../base/errors.ts";
import { grouped } from "../base/grouped.ts";
import type { SearchCaller } from "../base/search-caller.ts";
import { Turns } from "../base/turns.ts";
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

/** Milliseconds for one statement. The longest that is allowed takes a tenth of a second. */
const parseTime = 2_000;
/** Milliseconds in which the thread must have loaded the parser, which is no fault of the statement that comes first. */
const loadTime = 20_000;
/** Statements that may wait for the thread. Beyond that, the newest one of the caller who has most of them is refused. */
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

/** The thread parses one statement at a time, and callers take turns: what is hard to parse fails alone, and holds up few of others. */
const turns = new Turns(1, { mostWaiting, refused: () => busy("Too many statements are waiting. Try again shortly.") });

function busy(message: string, cause?: unknown): TenonError {
  return new TenonError("overloaded", message, { retryAfter: 1, cause });
}

/**
 * Parses a statement and checks it against the tables that a caller may read.
 *
 * @param caller takes turns with others; absent for the service itself
 * @returns the statement in our own form: nothing of the text reaches an engine but values, as bound parameters
 * @throws TenonError `invalid_request` for a statement that is wrong or not supported, `overloaded` when too many wait, or when the
 *   parser could not be loaded in time
 */
export async function parseStatement(text: string, tables: readonly Table[], caller?: SearchCaller): Promise<BoundStatement> {
  if (Buffer.byteLength(text) > statementLimits.bytes)
    throw statementFault({
      message: `A statement has at most ${grouped(statementLimits.bytes)} bytes.`,
      at: undefined,
    });
  // The parser takes U+0000 for the end, and a lone surrogate is no character.
  if (text.includes("\0") || !text.isWellFormed())
    throw statementFault({ message: "A statement has neither U+0000 nor lone surrogates.", at: undefined });
  const parsed = await turns.run(caller?.id ?? "", () => {
    const began = performance.now();
    return parsedAlone(text, tables).finally(() => caller?.worked(performance.now() - began));
  });
  if ("mistake" in parsed) throw statementFault(parsed.mistake, text);
  return parsed.statement;
}

/** Parses a statement while the thread has no other one. @throws TenonError */
async function parsedAlone(text: string, tables: readonly Table[]): Promise<Parsed> {
  const { calls } = worker;
  const tooHard = statementFault({ message: "The statement is too hard to parse. Make it shorter.", at: undefined });
  let isLoaded = false;
  const parsing = calls.call("parse", text, tables, Date.now());
  parsing.catch(() => undefined);
  const parse = async () => {
    const loaded = calls.ready.then(() => true);
    isLoaded = await withDeadline(loadTime, loaded, () => false);
    return withDeadline(parseTime, parsing, () => {
      throw tooHard;
    });
  };
  return parse().catch((thrown: unknown) => {
    // Whatever the parser did with this statement, the next one gets another parser.
    void calls.terminate();
    if (!isLoaded) throw busy("The parser was busy. Try again shortly.", thrown);
    throw thrown === tooHard
      ? thrown
      : new TenonError("invalid_request", tooHard.message, { faults: tooHard.faults, cause: thrown });
  });
}
