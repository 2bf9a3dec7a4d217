import { TenonError } from "../../base/errors.ts";

export function shuttingDown(): TenonError {
  return new TenonError("shutting_down", "The service is shutting down.", { retryAfter: 5 });
}
