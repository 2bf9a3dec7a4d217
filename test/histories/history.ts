import type { Random } from "../../runtime/simulated/github/seed/random.ts";

// A history says what several processes asked for, and what they were answered, each with its time. The check says what in it no system
// that does one thing after the other could have done.

/** A line of a history. Times are of one clock that all processes share, in nanoseconds. */
export interface Line {
  readonly process: string;
  readonly at: number;
  /** Names the operation within its process; a second line says how it ended. */
  readonly id: number;
  /** `lost`: nobody knows whether it was done. `refused`: nothing was done. */
  readonly type: "begin" | "done" | "lost" | "refused";
  readonly operation: Operation;
}

/**
 * `write` saves a value of a key under a fencing token, `read` finds one. `lease` takes a lease and gets a token. `create` is a write with
 * an idempotency key; `found` are the numbers of what it created, as the platform has them at the end.
 */
export type Operation =
  | { readonly kind: "write"; readonly key: string; readonly value: string; readonly token: number }
  | { readonly kind: "read"; readonly key: string; readonly value?: string | null }
  | { readonly kind: "lease"; readonly token?: number }
  | { readonly kind: "create"; readonly key: string; readonly number?: number }
  | { readonly kind: "found"; readonly key: string; readonly numbers: readonly number[] };

/** An operation from its beginning to its end. */
interface Done {
  readonly process: string;
  readonly from: number;
  /** Infinity where its end is unknown. */
  readonly to: number;
  readonly end: Line["type"];
  readonly operation: Operation;
}

/** @returns what is wrong, in sentences; empty where nothing is */
export function check(lines: readonly Line[]): string[] {
  const all = operationsOf(lines);
  const faults: string[] = [];
  for (const [key, some] of byKey(all, "write", "read")) faults.push(...checkRegister(key, some));
  for (const [key, some] of byKey(all, "create", "found")) faults.push(...checkCreations(key, some));
  faults.push(...checkTokens(all));
  return faults;
}

function operationsOf(lines: readonly Line[]): Done[] {
  const begun = new Map<string, Line>();
  const done: Done[] = [];
  for (const line of [...lines].sort((a, b) => a.at - b.at)) {
    const name = `${line.process} ${line.id}`;
    const begin = begun.get(name);
    if (line.type === "begin") begun.set(name, line);
    else if (begin === undefined) throw new Error(`the history has an end without a beginning: ${JSON.stringify(line)}`);
    else {
      begun.delete(name);
      const to = line.type === "lost" ? Number.POSITIVE_INFINITY : line.at;
      done.push({ process: line.process, from: begin.at, to, end: line.type, operation: line.operation });
    }
  }
  // Of these, the process ended before it learned of an end.
  for (const { process, at, operation } of begun.values())
    done.push({ process, from: at, to: Number.POSITIVE_INFINITY, end: "lost", operation });
  return done.filter(({ end }) => end !== "refused").sort((a, b) => a.from - b.from);
}

function byKey(all: readonly Done[], ...kinds: readonly Operation["kind"][]): Map<string, Done[]> {
  const some = all.filter(({ operation }) => kinds.includes(operation.kind));
  return Map.groupBy(some, ({ operation }) => ("key" in operation ? operation.key : ""));
}

/**
 * Whether a key behaved as a single register: there is an order of the operations that keeps to their times, in which each read finds the
 * write before it (Wing and Gong, 1993). A write whose end is unknown may come at any time after its beginning, or never. A read whose end
 * is unknown says nothing.
 */
function checkRegister(key: string, some: readonly Done[]): string[] {
  const seen = new Set(
    some.flatMap(({ operation, end }) => (operation.kind === "read" && end === "done" ? [operation.value] : [])),
  );
  // A write with an unknown end that nobody has seen need not have been done.
  const operations = some.filter(
    ({ operation, end }) => end === "done" || (operation.kind === "write" && seen.has(operation.value)),
  );
  const failed = new Set<string>();
  const canGoOn = (left: readonly number[], value: string | null): boolean => {
    if (left.every((one) => operations[one]?.to === Number.POSITIVE_INFINITY)) return true;
    const state = `${left.join()} ${value}`;
    if (failed.has(state)) return false;
    const firstEnd = Math.min(...left.map((one) => operations[one]?.to ?? Number.POSITIVE_INFINITY));
    for (const one of left) {
      const { from, operation } = operations[one] ?? {};
      // What begins after another one has ended comes behind it.
      if (from === undefined || operation === undefined || from > firstEnd) continue;
      const rest = left.filter((other) => other !== one);
      if (operation.kind === "write" && canGoOn(rest, operation.value)) return true;
      if (operation.kind === "read" && (operation.value ?? null) === value && canGoOn(rest, value)) return true;
    }
    failed.add(state);
    return false;
  };
  if (canGoOn([...operations.keys()], null)) return [];
  return [`No order of the writes and reads of ${key} explains what the reads found.`];
}

/** Whether a write with an idempotency key was done once, gave one answer, and was not lost once it was acknowledged. */
function checkCreations(key: string, some: readonly Done[]): string[] {
  const answers = new Set(some.flatMap(({ operation }) => (operation.kind === "create" ? (operation.number ?? []) : [])));
  const found = some.flatMap(({ operation }) => (operation.kind === "found" ? operation.numbers : []));
  const faults: string[] = [];
  if (answers.size > 1) faults.push(`The write ${key} was answered in several ways: ${[...answers].join(", ")}.`);
  if (found.length > 1) faults.push(`The write ${key} was done ${found.length} times: ${found.join(", ")}.`);
  for (const number of answers)
    if (!found.includes(number)) faults.push(`The write ${key} was acknowledged as ${number}, and was lost.`);
  return faults;
}

/** Whether each write was done under the newest fencing token that was given before it began, and each token was given once. */
function checkTokens(all: readonly Done[]): string[] {
  const given = all.flatMap(({ process, to, end, operation }) =>
    operation.kind === "lease" && end === "done" && operation.token !== undefined
      ? [{ process, to, token: operation.token }]
      : [],
  );
  const faults: string[] = [];
  for (const [token, some] of Map.groupBy(given, (one) => one.token)) {
    const owners = new Set(some.map(({ process }) => process));
    if (owners.size > 1) faults.push(`The fencing token ${token} was given to ${[...owners].join(" and ")}.`);
  }
  for (const { process, from, end, operation } of all) {
    if (operation.kind !== "write" || end !== "done") continue;
    if (!given.some((one) => one.process === process && one.token === operation.token && one.to <= from))
      faults.push(`${process} wrote ${operation.key} with the fencing token ${operation.token}, which it was not given.`);
    const newer = given.find((one) => one.token > operation.token && one.to < from);
    if (newer !== undefined)
      faults.push(
        `${process} wrote ${operation.key} with the fencing token ${operation.token} although ${newer.process} had ${newer.token}.`,
      );
  }
  return faults;
}

/** Changes one line so that the history is wrong. @returns undefined where nothing can be falsified */
export function falsified(lines: readonly Line[], random: Pick<Random, "below">): Line[] | undefined {
  const candidates = lines.flatMap((line, place): { readonly place: number; readonly operation: Operation }[] => {
    const { operation } = line;
    if (line.type !== "done") return [];
    if (operation.kind === "read" && operation.value !== undefined)
      return [{ place, operation: { ...operation, value: "never written" } }];
    if (operation.kind === "create" && operation.number !== undefined)
      return [{ place, operation: { ...operation, number: operation.number + 1_000_000 } }];
    if (operation.kind === "found" && operation.numbers.length > 0)
      return [{ place, operation: { ...operation, numbers: [...operation.numbers, 0] } }];
    return operation.kind === "write" ? [{ place, operation: { ...operation, token: operation.token - 1_000 } }] : [];
  });
  const chosen = candidates[random.below(candidates.length)];
  if (chosen === undefined) return undefined;
  return lines.map((line, place) => (place === chosen.place ? { ...line, operation: chosen.operation } : line));
}
