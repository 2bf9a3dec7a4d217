import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type DeliveryValue, valuesAt, type WebhookPlan, type WebhookSignature } from "../contract/index.ts";

/** The most codes of one header that are compared. */
const mostCodes = 10;

type Hmac = Exclude<WebhookSignature, { readonly passcode: string }>;

/** A header as a text; undefined where it is absent or came several times. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A text or number of a delivery; undefined where it has none. */
export function deliveryValue(value: DeliveryValue, headers: IncomingHttpHeaders, payload: unknown): string | undefined {
  if (value.header !== undefined) return headerOf(headers, value.header);
  const [found] = valuesAt(payload, value.path);
  return typeof found === "string" || typeof found === "number" ? String(found) : undefined;
}

/** Whether two texts are equal. It takes the same time wherever they differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** Verifies one delivery. Its bytes are given as they come in, so that a large body takes no long turn at its end. */
export class Verification {
  readonly #plan: WebhookPlan;
  readonly #secrets: readonly string[];
  readonly #headers: IncomingHttpHeaders;
  readonly #digest = createHash("sha256");
  readonly #codes: readonly ReturnType<typeof createHmac>[];
  readonly #end: string;

  /** @param secrets those that are good, of which there are several while one is replaced */
  constructor(plan: WebhookPlan, secrets: readonly string[], headers: IncomingHttpHeaders) {
    this.#plan = plan;
    this.#secrets = secrets;
    this.#headers = headers;
    const { signature } = plan;
    const [begin = "", end = ""] = isHmac(signature) ? (signature.content ?? "{body}").split("{body}") : [];
    const filled = (text: string) => text.replace(/\{([^{}]+)\}/g, (_, name: string) => headerOf(headers, name) ?? "");
    this.#codes = isHmac(signature) ? secrets.map((secret) => createHmac(signature.algorithm, secret).update(filled(begin))) : [];
    this.#end = filled(end);
  }

  /** Whether the headers lack the signature, so that the body need not be read. */
  get isUnsigned(): boolean {
    const { signature } = this.#plan;
    return this.#secrets.length === 0 || (isHmac(signature) && headerOf(this.#headers, signature.header) === undefined);
  }

  /** Whether the proof stands in the body. */
  get isInBody(): boolean {
    return !isHmac(this.#plan.signature);
  }

  take(piece: Uint8Array): void {
    this.#digest.update(piece);
    for (const code of this.#codes) code.update(piece);
  }

  /** Whether the code in the header is right. True where the proof stands in the body. It can be called once, after the last piece. */
  hasCode(): boolean {
    const { signature } = this.#plan;
    if (!isHmac(signature)) return true;
    const given = (headerOf(this.#headers, signature.header) ?? "").split(" ").slice(0, mostCodes);
    const right = this.#codes.map((code) => `${signature.prefix ?? ""}${code.update(this.#end).digest(signature.encoding)}`);
    // Every code is compared with every secret, so that the time does not say which one fits.
    return right.flatMap((code) => given.map((one) => isSame(one, code))).includes(true);
  }

  /** Whether what the body has to prove is right: its passcode and its time. @param now milliseconds since 1970 */
  isGood(payload: unknown, now: number): boolean {
    const { signature, timestamp } = this.#plan;
    if (!isHmac(signature)) {
      const given = deliveryValue({ path: signature.passcode }, this.#headers, payload) ?? "";
      if (!this.#secrets.map((secret) => isSame(given, secret)).includes(true)) return false;
    }
    if (timestamp === undefined) return true;
    const value = deliveryValue(timestamp, this.#headers, payload) ?? "";
    const at =
      timestamp.as === "date" ? Date.parse(value) : Number(value || Number.NaN) * (timestamp.as === "seconds" ? 1000 : 1);
    return Math.abs(now - at) <= timestamp.tolerance * 1000;
  }

  /** The digest of the body, which names a delivery without an id. It can be called once. */
  digest(): string {
    return this.#digest.digest("base64url");
  }
}

function isHmac(signature: WebhookSignature): signature is Hmac {
  return signature.passcode === undefined;
}
