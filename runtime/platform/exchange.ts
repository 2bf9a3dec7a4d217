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

/** An answer of the platform with more characters than this is not read to its end; the largest pages of GitHub have a few million. */
const longestAnswer = 64 * 1024 * 1024;

/**
 * One HTTP exchange, read to its end. Redirects are not followed: that would repeat a write, or carry the token away.
 *
 * @throws whatever fetch throws when the connection fails or the signal ends it
 */
export async function exchange(fetch: typeof globalThis.fetch, url: string, sent: Sent): Promise<Exchanged> {
  const response = await fetch(url, { ...sent, redirect: "manual" });
  const text = await textOf(response);
  return { status: response.status, headers: response.headers, data: parsed(text) };
}

/** Reads a body piece by piece, because its length on the wire says nothing of its length after decompression. */
async function textOf(response: Response): Promise<string> {
  if (response.body === null) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of response.body) {
    text += decoder.decode(piece, { stream: true });
    // Leaving the loop ends the connection.
    if (text.length > longestAnswer) throw new Error("the answer is too long");
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
