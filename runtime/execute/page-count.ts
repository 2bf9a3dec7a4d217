import { TenonError } from "../base/errors.ts";
import type { Environment } from "./environment.ts";
import { valueAtPath } from "./record-reader.ts";

/**
 * Refuses a page with more records than were requested, because nothing else would bound the size of an answer.
 *
 * @throws TenonError `platform_failed`
 */
export function checkCount(found: number, asked: number, { instance }: Environment): void {
  if (found <= asked) return;
  const message = `${instance.connector.title} sent ${found} records, but only ${asked} were requested.`;
  throw new TenonError("platform_failed", message);
}

/**
 * Whether a connection says that another page follows. Only a boolean says so: a list that says nothing must not be taken for one that
 * ends, because a sync removes what it did not see.
 *
 * @throws TenonError `unexpected_response`
 */
export function hasNextPage(connection: unknown, { instance }: Environment): boolean {
  const says = valueAtPath(connection, ["pageInfo", "hasNextPage"]);
  if (typeof says === "boolean") return says;
  const message = `${instance.connector.title} sent a page that does not say whether another one follows ("pageInfo.hasNextPage").`;
  throw new TenonError("unexpected_response", message);
}
