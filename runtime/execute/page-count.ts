import { TenonError } from "../base/errors.ts";
import type { Environment } from "./environment.ts";

/**
 * Refuses a page with more records than were asked for, because nothing else would bound the size of an answer.
 *
 * @throws TenonError `platform_failed`
 */
export function checkCount(found: number, asked: number, { instance }: Environment): void {
  if (found <= asked) return;
  const message = `${instance.connector.title} sent ${found} records, but only ${asked} were asked for.`;
  throw new TenonError("platform_failed", message);
}
