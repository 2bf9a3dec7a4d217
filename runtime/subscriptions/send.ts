import { subscriptionLimits } from "./limits.ts";

/** What a receiver said to a delivery. */
export interface Sent {
  /** `taken`, `refused` for good, or `failed` for now. */
  readonly kind: "taken" | "refused" | "failed";
  /** The status, or why there was none: `timeout`, `unreachable` or `private_address`. */
  readonly outcome: string;
  /** The beginning of the response. */
  readonly text: string;
}

/**
 * Sends a delivery once. It never throws.
 *
 * @param send connects to allowed addresses only
 * @param signal ends the attempt
 */
export async function post(
  send: typeof globalThis.fetch,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Sent> {
  const timeout = AbortSignal.timeout(subscriptionLimits.deadline);
  try {
    const init = { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body } as const;
    const response = await send(url, { ...init, redirect: "manual", signal: AbortSignal.any([signal, timeout]) });
    const text = await beginning(response);
    const kind = response.ok ? "taken" : response.status === 410 ? "refused" : "failed";
    return { kind, outcome: String(response.status), text };
  } catch (thrown) {
    return { kind: "failed", outcome: timeout.aborted ? "timeout" : reasonOf(thrown), text: "" };
  }
}

/**
 * Reads a response to its end, so that its connection is used again, unless it is long. Where its body is slow or broken, its status holds
 * all the same.
 */
async function beginning({ body }: Response): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const piece of body ?? []) {
      text += decoder.decode(piece, { stream: true });
      if (text.length > subscriptionLimits.response) break;
    }
  } catch {
    return text;
  }
  return text;
}

/** Nothing of the receiver is in it, so that nobody reads through it what only this service can reach. */
function reasonOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error && cause.message.endsWith("is in a private network") ? "private_address" : "unreachable";
}
