import type { Connector } from "../../contract/index.ts";

/** What is wrong with a value that is a placeholder. */
export const placeholderProblem = `is a placeholder such as \${NAME} that nothing has replaced with its value`;

/** Whether a value is a placeholder that a client or a shell should have replaced, such as `${GITHUB_TOKEN:-}` or `${env:GITHUB_TOKEN}`. */
export function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && /^\$\{[^{}]*\}$/.test(value.trim());
}

/**
 * Removes credentials of which a client has passed on the placeholder of its configuration: some do so where the variable is not set. Other
 * settings stay, and are refused, because without a policy or a key more would be allowed.
 *
 * @returns also a text for the user; empty where nothing was removed
 */
export function withoutPlaceholders(environment: Readonly<Record<string, string | undefined>>, connectors: readonly Connector[]) {
  const kinds = connectors.flatMap(({ platform }) => platform.auth.kinds);
  const credentials = new Set(kinds.flatMap(({ values }) => Object.values(values)));
  const names = [...credentials].filter((name) => isPlaceholder(environment[name]));
  const kept = Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)));
  const text = `Not set: ${names.join(", ")}. The client has passed on a placeholder (\${…}) in place of the value. Set it where the client starts, or write it into the configuration of the client.`;
  return { environment: kept, text: names.length === 0 ? "" : text };
}
