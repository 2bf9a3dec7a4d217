import type { StopReason } from "../contract/index.ts";
import type { SubscriptionContent } from "./content.ts";
import { subscriptionLimits } from "./limits.ts";
import type { Message } from "./message.ts";
import type { Allowed } from "./owner.ts";
import { post, type Sent } from "./send.ts";
import { type SigningSecret, signed } from "./signature.ts";

/** What became of a delivery. */
export type DeliveryResult = "taken" | "failed" | "too_large" | "rejected";

/** A change to deliver. */
export interface Delivery {
  readonly sequence: number;
  /** What names its record: deliveries of one record go out one after the other. */
  readonly record: string;
  readonly message: () => Message;
}

export interface DeliveryOptions {
  readonly content: SubscriptionContent;
  readonly secrets: readonly SigningSecret[];
  /** Connects to the addresses that are allowed for receivers. */
  readonly send: typeof globalThis.fetch;
  readonly count: (result: DeliveryResult) => void;
  /** What the owner may read now. @throws TenonError when the accounts cannot be read */
  readonly look: () => Promise<Allowed>;
  readonly signal: AbortSignal;
}

/** How far deliveries have come. */
export interface Delivered {
  /** Sequence number of the first change that is not delivered; undefined where all are. */
  readonly firstLeft: number | undefined;
  /** The failure that has ended the deliveries; undefined where there was none. */
  readonly failed: Sent | undefined;
  /** Why the owner may not read them any longer. */
  readonly paused: StopReason | undefined;
  readonly last: { readonly at: number; readonly outcome: string } | undefined;
}

/** Milliseconds after which a turn begins no delivery any more. */
const longest = 30_000;
/** Milliseconds after which it is looked again what the owner may read. */
const lookAgain = 1_000;

/** Why a delivery is not tried again, although it was not taken: what is behind it must not wait for it. */
function skippedBy({ event }: SubscriptionContent, { outcome }: Sent): "too_large" | "rejected" | undefined {
  // A receiver that refuses a size refuses it again. In MCP, 410 is about one delivery and not about its receiver.
  if (outcome === "413") return "too_large";
  return outcome === "410" && event !== undefined ? "rejected" : undefined;
}

/** Sends deliveries until one fails or the turn is over. @throws TenonError when the accounts cannot be read */
export async function deliver(options: DeliveryOptions, deliveries: readonly Delivery[]): Promise<Delivered> {
  const { content, secrets, send, count, look, signal } = options;
  const began = performance.now();
  let lookedAt = began;
  const left = new Set(deliveries.map(({ sequence }) => sequence));
  let failed: Sent | undefined;
  let paused: StopReason | undefined;
  let last: Delivered["last"];
  const isOver = () => failed !== undefined || paused !== undefined || signal.aborted || performance.now() - began > longest;
  const one = async ({ sequence, message }: Delivery) => {
    if (performance.now() - lookedAt > lookAgain) {
      lookedAt = performance.now();
      const allowed = await look();
      if (allowed.kind === "pause") paused = allowed.reason;
      if (allowed.kind !== "may") return;
    }
    const { id, headers, body } = message();
    const proof = signed(secrets, id, body, Date.now());
    const sent = await post(send, content.url, { ...proof, ...headers }, body, signal);
    last = { at: Date.now(), outcome: sent.outcome };
    const skipped = skippedBy(content, sent);
    count(skipped ?? (sent.kind === "taken" ? "taken" : "failed"));
    if (skipped !== undefined || sent.kind === "taken") left.delete(sequence);
    else if (!signal.aborted) failed ??= sent;
  };
  const records = [...Map.groupBy(deliveries, ({ record }) => record).values()];
  const work = async () => {
    for (let record = records.shift(); record !== undefined; record = records.shift())
      for (const delivery of record) {
        if (isOver()) return;
        await one(delivery);
        if (left.has(delivery.sequence)) return;
      }
  };
  await Promise.all(Array.from({ length: Math.min(subscriptionLimits.atOnce, records.length) }, work));
  const [firstLeft] = left;
  return { firstLeft, failed, paused, last };
}
