import { mistakesIn } from "./mistakes.ts";
import { type Exchange, type Surface, tokensOf } from "./surfaces.ts";
import { callOf, readTasks, type Task, wrongIn } from "./task.ts";
import type { World } from "./world.ts";

/** What an interface cost for all tasks, and how it dealt with mistakes. */
export interface Tally {
  readonly surface: string;
  readonly tokens: number;
  readonly calls: number;
  readonly bytes: number;
  /** Tasks whose answer was wrong, and why. */
  readonly failed: readonly string[];
  readonly mistakes: number;
  /** Mistakes after which an agent would not know the right call. */
  readonly lost: readonly string[];
  /** Tokens of the errors and of the calls that led to them. */
  readonly mistakeTokens: number;
}

/** Runs the reference plans of all tasks over one interface, and each mistake that their first steps have room for. */
export async function runTasks(world: World, surface: Surface, tasks: readonly Task[] = readTasks()): Promise<Tally> {
  const failed: string[] = [];
  const lost: string[] = [];
  const exchanges: Exchange[] = [];
  const errors: Exchange[] = [];
  for (const task of tasks) {
    for (const mistake of task.do.slice(0, 1).flatMap((step) => mistakesIn(callOf(step, task.connector)))) {
      const exchange = await surface.call(mistake.call);
      errors.push(exchange);
      const missing = mistake.hints.filter((words) => !words.some((word) => exchange.received.includes(word)));
      if (exchange.ok || missing.length > 0)
        lost.push(`${mistake.name}: ${exchange.sent}\n    ${exchange.received.slice(0, 300)}`);
    }
    const done = await plan(surface, task);
    exchanges.push(...done);
    const answer = done.map(({ received }) => received).join("\n");
    const wrong = done.some(({ ok }) => !ok) ? ["failed"] : wrongIn(answer, task);
    if (task.state !== undefined) wrong.push(...wrongIn(await world.platform(task.state.query), task.state));
    if (wrong.length > 0) failed.push(`${task.ask} ${wrong.join(", ")}\n    ${answer.slice(0, 600)}`);
  }
  const sum = (of: readonly Exchange[], measure: (one: Exchange) => number) => of.reduce((all, one) => all + measure(one), 0);
  return {
    surface: surface.name,
    tokens: sum(exchanges, tokensOf),
    calls: exchanges.length,
    bytes: sum(exchanges, ({ sent, received }) => Buffer.byteLength(sent) + Buffer.byteLength(received)),
    failed,
    mistakes: errors.length,
    lost,
    mistakeTokens: sum(errors, tokensOf),
  };
}

async function plan(surface: Surface, task: Task): Promise<Exchange[]> {
  const calls = task.do.map((step) => callOf(step, task.connector));
  if (task.together === true && surface.several !== undefined) return [await surface.several(calls)];
  const done: Exchange[] = [];
  for (const call of calls) done.push(await surface.call(call));
  return done;
}
