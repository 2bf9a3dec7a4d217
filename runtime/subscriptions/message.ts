import type { FeedEntry } from "../changes/index.ts";
import type { SubscriptionContent } from "./content.ts";
import { subscriptionLimits } from "./limits.ts";

/** A delivery before it is signed. */
export interface Message {
  /**
   * The `webhook-id`. It names one event for one subscription, in each attempt and each redelivery. So it is right both for receivers to
   * whom it names an event and for those to whom it names a message.
   */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface MessageOrigin {
  readonly subscription: string;
  readonly log: string;
  /** Cursor before which everything was taken. */
  readonly watermark: string;
}

/** The delivery of a change. */
export function changeMessage({ event }: SubscriptionContent, origin: MessageOrigin, entry: FeedEntry): Message {
  const id = eventId(origin, entry.sequence);
  const { at: timestamp, kind } = entry;
  const bodyOf = (data: object) =>
    event === undefined
      ? { type: `record.${kind}`, timestamp, data: { subscription_id: origin.subscription, ...data } }
      : { eventId: id, name: event, timestamp, data, cursor: origin.watermark };
  const whole = JSON.stringify(bodyOf(entry));
  if (Buffer.byteLength(whole) <= subscriptionLimits.body) return { id, headers: headersOf(event, origin), body: whole };
  const { record: _, ...rest } = entry;
  return { id, headers: headersOf(event, origin), body: JSON.stringify(bodyOf({ ...rest, record_omitted: true })) };
}

/** Says that changes are lost to a subscription, because the log does not go back to its position. @param cursor where it goes on */
export function truncatedMessage({ event }: SubscriptionContent, origin: MessageOrigin, next: number, cursor: string): Message {
  const id = `msg_gap_${origin.log}_${next}_${origin.subscription}`;
  const data = { subscription_id: origin.subscription, cursor };
  const body =
    event === undefined ? { type: "changes.truncated", timestamp: new Date().toISOString(), data } : { type: "gap", cursor };
  return { id, headers: headersOf(event, origin), body: JSON.stringify(body) };
}

/** The name of a change for one subscription. */
function eventId({ subscription, log }: Pick<MessageOrigin, "subscription" | "log">, sequence: number): string {
  return `evt_${log}_${sequence}_${subscription}`;
}

/** The log and the sequence number that an event id of a subscription names; undefined for another text. */
export function eventOf(subscription: string, id: string): { readonly log: string; readonly sequence: number } | undefined {
  const [kind, log = "", sequence = "", ...rest] = id.split("_");
  const isOwn = kind === "evt" && rest.join("_") === subscription && /^\d{1,15}$/.test(sequence);
  return isOwn ? { log, sequence: Number(sequence) } : undefined;
}

function headersOf(event: string | undefined, { subscription }: MessageOrigin): Record<string, string> {
  return event === undefined ? {} : { "X-MCP-Subscription-Id": subscription };
}
