import { type Answer, json } from "../../simulator/answer.ts";
import type { Api } from "../../simulator/fault.ts";
import { docs, refuse } from "./refuse.ts";

export const limitDocs = `${docs}/overview/rate-limits-for-the-rest-api`;

/** The quota of an hour is used up. GraphQL answers 200 in either form, REST 403 or 429. */
export function limitExceeded(
  api: Api,
  userId: number,
  form: "RATE_LIMITED" | "RATE_LIMIT" = "RATE_LIMITED",
  status = 403,
): Answer {
  if (api === "rest") return refuse(status, `API rate limit exceeded for user ID ${userId}.`, limitDocs);
  if (form === "RATE_LIMITED")
    return json(200, { errors: [{ type: form, message: `API rate limit exceeded for user ID ${userId}.` }] });
  const code = "graphql_rate_limit";
  const message = `API rate limit already exceeded for user ID ${userId}.`;
  return json(200, { errors: [{ type: form, code, message, extensions: { code } }] });
}
