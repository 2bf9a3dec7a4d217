import { describe, expect, it } from "vitest";
import { fullGrant } from "../../../runtime/accounts/index.ts";
import type { SentChanges } from "../../../runtime/admin/actions.ts";
import { subscriptionsView, subscriptionTroubles } from "../../../runtime/admin/subscriptions.ts";

const sent = (id: string, more: Partial<SentChanges> = {}): SentChanges => ({
  ...{ id, connector_id: "github", owner: "a", url: "https://example.com/", entity: null, state: "active", reason: null },
  ...{ position: 0, redelivery: null, failures: 0, failing_since: null, next_attempt_at: null },
  ...{ last_delivery_at: null, last_outcome: null, ...more },
});
const fine = sent("fine");
const failing = sent("failing", { failures: 1, failing_since: "2026-01-01T00:00:00Z", last_outcome: "500" });
const paused = sent("paused", { state: "paused", reason: "by_owner" });
const stopped = sent("stopped", { state: "disabled", reason: "receiver_gone", last_outcome: "410" });
const viewer = { id: "a", name: "a", grant: fullGrant };
const ids = (all: readonly SentChanges[]) => subscriptionsView(all, viewer).subscriptions.map(({ id }) => id);

describe("the list of subscriptions", () => {
  it("has first those that deliver nothing, then those that fail, and the others as they come", () => {
    expect(ids([fine, failing, paused, stopped])).toEqual(["stopped", "failing", "fine", "paused"]);
    expect(ids([paused, stopped, fine, failing])).toEqual(["stopped", "failing", "paused", "fine"]);
    const levels = subscriptionsView([fine, failing, paused, stopped], viewer).subscriptions.map(({ level }) => level);
    expect(levels).toEqual(["failed", "stale", "fine", "fine"]);
  });

  it("has 200 at most, and says how many are not shown", () => {
    const all = (count: number) => Array.from({ length: count }, (_, nth) => sent(`s${nth}`));
    expect([ids(all(200)).length, subscriptionsView(all(200), viewer).more]).toEqual([200, []]);
    expect([ids(all(203)).length, subscriptionsView(all(203), viewer).more]).toEqual([200, [3]]);
    expect([subscriptionsView([], viewer).none.length, subscriptionsView([fine], viewer).none.length]).toEqual([1, 0]);
  });
});

describe("what is wrong with subscriptions", () => {
  it("is that they have ended, or that their receivers fail", () => {
    const never = { ...failing, id: "never", last_outcome: null };
    const unknown = { ...stopped, id: "unknown", reason: null };
    const troubles = subscriptionTroubles([fine, failing, paused, stopped, never, unknown]);
    expect(troubles.map(({ scope, level, what }) => [scope, level, what])).toEqual([
      ["failing", "stale", "The receiver of a webhook fails"],
      ["stopped", "failed", "A webhook to a receiver has ended"],
      ["never", "stale", "The receiver of a webhook fails"],
      ["unknown", "failed", "A webhook to a receiver has ended"],
    ]);
    expect(troubles.map(({ advice }) => advice.split(". ")[0])).toEqual([
      "The last response was 500",
      "Reason: receiver_gone",
      "The last response was none",
      "Reason: unknown",
    ]);
  });
});
