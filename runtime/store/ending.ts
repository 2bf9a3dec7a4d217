import { TenonError } from "../base/errors.ts";

export function shuttingDown(): TenonError {
  return new TenonError("shutting_down", "The service is shutting down.", { retryAfter: 5 });
}

export function searchTooSlow(): TenonError {
  return new TenonError("search_timeout", "The search took too long. Narrow its filter, or sort by another field.");
}
