import { type Fault, invalidRequest } from "../base/errors.ts";
import { grouped } from "../base/grouped.ts";
import { requestLimits } from "../base/request-limits.ts";

/**
 * Checks that a message of JSON-RPC is one that the library of the protocol may get. The library checks and copies every member but the
 * arguments of a tool, so that a large message would hold up everything else.
 *
 * @throws TenonError `invalid_request`
 */
export function checkMessage(message: unknown): void {
  const { metaMembers, messageValues } = requestLimits;
  if (Array.isArray(message)) throw refusal("", "wrong_type", "A request has one message; a batch is not possible.");
  const params = memberOf(message, "params");
  const meta = memberOf(params, "_meta");
  if (typeof meta === "object" && meta !== null && Object.keys(meta).length > metaMembers)
    throw refusal("/params/_meta", "out_of_range", `_meta may have at most ${metaMembers} members.`);
  if (countUpTo(messageValues, message, memberOf(params, "arguments")) > messageValues) {
    const most = grouped(messageValues);
    throw refusal("", "out_of_range", `A message may have at most ${most} values, not counting the arguments of a tool.`);
  }
}

function refusal(pointer: string, code: Fault["code"], message: string) {
  return invalidRequest([{ pointer, code, message }]);
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

/** Counts the values in a value without those in `except`. It ends as soon as there are more than `most`. */
function countUpTo(most: number, value: unknown, except: unknown): number {
  if (typeof value !== "object" || value === null || value === except) return 1;
  let count = 1;
  for (const inner of Object.values(value)) {
    count += countUpTo(most - count, inner, except);
    if (count > most) break;
  }
  return count;
}
