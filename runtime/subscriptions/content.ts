import { invalidRequest, TenonError } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import { checkChanges, type FeedRequest } from "../changes/index.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import { receiverProblem } from "../platform/address-rules.ts";
import { subscriptionLimits } from "./limits.ts";

/** What a subscription sends, and where. */
export interface SubscriptionContent {
  readonly url: string;
  /** Null for all entities. */
  readonly entity: readonly string[] | null;
  readonly filter?: unknown;
  readonly fields?: unknown;
  /** Name of the event, where a client of MCP has subscribed; its deliveries then have the form of MCP. */
  readonly event?: string;
}

const members = ["entity", "filter", "fields", "url"] as const;

/** A checked subscription. */
export interface CheckedContent {
  readonly content: SubscriptionContent;
  readonly request: FeedRequest;
}

/**
 * Checks what a caller wants to be sent.
 *
 * @param given the members of the content, and `cursor`
 * @param more further members that the request may have
 * @throws TenonError `invalid_request` with all faults, `bad_cursor`
 */
export function checkContent(
  instance: Pick<ConnectorInstance, "connector" | "id">,
  given: Readonly<Record<string, unknown>>,
  more: readonly string[],
  allowPrivate: boolean,
): CheckedContent {
  const faults = new Faults();
  const allowed = [...members, ...more];
  faults.unknownNames([], "unknown_member", given, allowed, () => `A subscription has ${allowed.join(", ")}.`);
  const { url, entity, filter, fields, cursor } = given;
  if (typeof url !== "string") faults.add(["url"], "wrong_type", "url must be the https address that takes the deliveries.");
  else if (url.length > subscriptionLimits.url)
    faults.add(["url"], "out_of_range", `url has more than ${subscriptionLimits.url} characters.`);
  else {
    const problem = receiverProblem(url, allowPrivate);
    if (problem !== undefined) faults.add(["url"], "not_allowed", `url ${problem}.`);
  }
  const named = Object.entries({ entity, filter, fields, cursor }).filter(([, value]) => value !== undefined && value !== null);
  let request: FeedRequest | undefined;
  try {
    request = checkChanges(instance.connector, instance.id, Object.fromEntries(named));
  } catch (thrown) {
    if (!(thrown instanceof TenonError) || !faults.any) throw thrown;
    throw invalidRequest([...faults.list, ...(thrown.faults ?? [])]);
  }
  if (faults.any) throw invalidRequest(faults.list);
  const { entities } = request;
  const chosen = Object.fromEntries(Object.entries({ filter, fields }).filter(([, value]) => (value ?? null) !== null));
  const content = { url: String(url), entity: entities, ...chosen };
  if (Buffer.byteLength(JSON.stringify(content)) > subscriptionLimits.content) {
    faults.add(
      ["filter"],
      "out_of_range",
      `url, entity, filter and fields have more than ${subscriptionLimits.content / 1024} KiB together.`,
    );
    throw invalidRequest(faults.list);
  }
  return { content, request };
}

/** The changes that a stored subscription delivers. @throws TenonError `invalid_request` when its connector has changed */
export function requestOf({ connector, id }: ConnectorInstance, { entity, filter, fields }: SubscriptionContent): FeedRequest {
  const given = Object.entries({ entity: entity ?? undefined, filter, fields, limit: subscriptionLimits.turn });
  return checkChanges(connector, id, Object.fromEntries(given.filter(([, value]) => value !== undefined)));
}

export function contentOf({ content }: { readonly content: string }): SubscriptionContent {
  // Only contents of this room are stored there.
  const read: SubscriptionContent = JSON.parse(content);
  return read;
}
