import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { canonical } from "../accounts/index.ts";
import { isObject } from "../base/is-object.ts";
import { post, type Sent } from "./send.ts";
import { signed } from "./signature.ts";

const [minute, day] = [60_000, 86_400_000];

/** Milliseconds until a subscription of a client of MCP has to be renewed: where it does not say, and at least and at most. */
const lifetime = { default: 60 * minute, least: 5 * minute, most: 30 * day } as const;

/** The id of a subscription of a client of MCP: the same for the same caller, address, event and arguments. */
export function eventSubscriptionId(caller: string, url: string, event: string, args: unknown): string {
  return `sub_${hash("sha256", canonical([caller, url, event, args]), "hex").slice(0, 24)}`;
}

/** How long a subscription lasts without being renewed. @param wanted milliseconds; null for as long as possible */
export function lifetimeOf(wanted: number | null | undefined): number {
  const given = wanted === undefined ? lifetime.default : (wanted ?? lifetime.most);
  return Math.min(lifetime.most, Math.max(lifetime.least, given));
}

/**
 * Asks a receiver whether it wants deliveries, so that nobody has others flooded: it has to repeat a challenge.
 *
 * @returns why it has not, in the words of MCP; undefined where it has
 */
export async function refusalOf(
  send: typeof globalThis.fetch,
  { url, secret, id }: { readonly url: string; readonly secret: string; readonly id: string },
): Promise<string | undefined> {
  const challenge = randomBytes(24).toString("base64url");
  const body = JSON.stringify({ type: "verification", challenge });
  const message = `msg_verification_${randomBytes(9).toString("base64url")}`;
  const proof = signed([{ secret, until: null }], message, body, Date.now());
  const sent = await post(send, url, { ...proof, "X-MCP-Subscription-Id": id }, body, new AbortController().signal);
  if (sent.kind === "taken" && repeats(sent, challenge)) return undefined;
  return errorCategory(sent.outcome) ?? "challenge_failed";
}

function repeats({ text }: Sent, challenge: string): boolean {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false;
  }
  const given = isObject(body) ? body["challenge"] : undefined;
  const digest = (one: string) => hash("sha256", one, "buffer");
  return typeof given === "string" && timingSafeEqual(digest(given), digest(challenge));
}

/** The outcome of a delivery in the words of MCP; null where it was taken, or there was none. */
export function errorCategory(outcome: string | null): string | null {
  if (outcome === null || /^2\d\d$/.test(outcome)) return null;
  if (outcome === "timeout") return "timeout";
  if (/^[345]\d\d$/.test(outcome)) return outcome.startsWith("5") ? "http_5xx" : "http_4xx";
  return "connection_refused";
}
