import type { Headers as PlatformHeaders } from "./failure.ts";

export interface Exchanged {
  readonly status: number;
  readonly headers: PlatformHeaders;
  /** The parsed JSON of the body, or its text when it is no JSON. */
  readonly data: unknown;
}

export interface Sent {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** An answer of the platform may have this many characters; the largest pages of GitHub have a few million. */
const longestAnswer = 64 * 1024 * 1024;

/**
 * One HTTP exchange, read to its end. Redirects are not followed: that would repeat a write, or carry the token away.
 *
 * @throws whatever fetch throws when the connection fails or the signal ends it
 */
export async function exchange(fetch: typeof globalThis.fetch, url: string, sent: Sent): Promise<Exchanged> {
  const response = await fetch(url, { ...sent, redirect: "manual" });
  if (Number(response.headers.get("content-length") ?? 0) > longestAnswer) {
    await response.body?.cancel();
    throw new Error("the answer is too long");
  }
  const text = await response.text();
  return { status: response.status, headers: response.headers, data: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
