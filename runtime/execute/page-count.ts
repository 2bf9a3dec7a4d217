import { TenonError } from "../base/errors.ts";
import type { Environment } from "./environment.ts";

/**
 * A platform that sends more than it was asked for does not do what its description says, and there is no bound to what it may send.
 *
 * @throws TenonError `platform_failed`
 */
export function checkCount(found: number, asked: number, { instance }: Environment): void {
  if (found <= asked) return;
  const message = `${instance.connector.title} sent ${found} records although ${asked} were asked for.`;
  throw new TenonError("platform_failed", message);
}
