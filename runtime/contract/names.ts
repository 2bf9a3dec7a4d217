/** `stateReason` → `state_reason`. Field names are accepted in both spellings (decision 6). */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Names that GraphQL variables may not have: @octokit/graphql takes them as options of the request, not as variables. */
export const reservedVariables: readonly string[] = [
  "method",
  "baseUrl",
  "url",
  "headers",
  "request",
  "query",
  "mediaType",
  "operationName",
];

/** Names that no entity, action, param or field may have, because JavaScript objects come with them. */
export const reservedNames: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
];
