import { type Answer, json } from "../../simulator/answer.ts";

export const docs = "https://docs.github.com/rest";
export const graphqlDocs = "https://docs.github.com/graphql";

/** An error of GitHub's REST API: the status stands in the body too, as a string. */
export function refuse(
  status: number,
  message: string,
  documentation = docs,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return json(status, { message, documentation_url: documentation, status: String(status) }, headers);
}

export const unauthorized: Answer = refuse(401, "Bad credentials");
