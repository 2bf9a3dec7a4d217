import type { Platform, RecordedRequest } from "../../support/github/start.ts";

/** What came to the platform's REST API: writes, for the service reads by GraphQL. */
export const writes = ({ requests }: Platform): RecordedRequest[] => requests.filter((one) => one.path !== "/graphql");
export const reads = ({ requests }: Platform): RecordedRequest[] => requests.filter((one) => one.path === "/graphql");
/** The page sizes that GraphQL was asked for, in order. */
export const sizes = (platform: Platform): unknown[] => reads(platform).map(({ body }) => variables(body)["first"]);

export function variables(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== "object" || body === null || !("variables" in body)) return {};
  const given = body.variables;
  return typeof given === "object" && given !== null ? { ...given } : {};
}
