import type { Draft, DraftConnector } from "./draft.ts";

/** The APIs of which a draft may have the address. */
const apis = [
  ["rest", "REST"],
  ["graphql", "GraphQL"],
] as const;

/** Asks the author something. @returns the answer, or the fallback where there is none */
export type Ask = (question: string, fallback: string) => Promise<string>;

/** Where a draft has no address of its own. */
export const unknownUrl = "https://api.example.com";

/** Asks what the description cannot tell: the address of the platform, and the header by which calls are authorized. */
export async function askQuestions({ connector }: Pick<DraftConnector, "connector">, ask: Ask): Promise<void> {
  const platform = connector["platform"] as Draft;
  for (const { endpoint, url, title } of unknownEndpoints(platform))
    endpoint["url"] = await valid(ask, `Address of the platform's ${title} API`, url, isAddress);
  const auth = platform["auth"] as Draft | Draft[];
  if (Array.isArray(auth) || auth["kind"] !== undefined) return;
  const header = await valid(ask, "Header with the credential", "Authorization", isHeader);
  const usual = header === "Authorization" ? "Bearer {token}" : "{token}";
  const value = await valid(ask, "Value of this header", usual, (text) => text.includes("{token}"));
  if (header !== "Authorization") auth["header"] = header;
  if (value !== "Bearer {token}") auth["value"] = value;
}

/** Addresses that the author still has to fill in: calls with the credential would go to a placeholder. */
export function addressChecks({ connector }: Pick<DraftConnector, "connector">): string[] {
  return unknownEndpoints(connector["platform"] as Draft).map(
    ({ api, url, title }) =>
      `connector.yaml platform.${api}.url: the description does not give the address of the ${title} API: replace the placeholder ${url}`,
  );
}

function unknownEndpoints(platform: Draft) {
  return apis.flatMap(([api, title]) => {
    const endpoint = platform[api] as Draft | undefined;
    const url = endpoint?.["url"];
    return endpoint !== undefined && typeof url === "string" && url.startsWith(unknownUrl) ? [{ api, title, endpoint, url }] : [];
  });
}

/** Asks until the answer has the right form, three times at most. */
async function valid(ask: Ask, question: string, fallback: string, fits: (text: string) => boolean): Promise<string> {
  for (let times = 0; times < 3; times++) {
    const answer = (await ask(question, fallback)).trim() || fallback;
    if (fits(answer)) return answer;
  }
  return fallback;
}

function isAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

function isHeader(text: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text);
}
