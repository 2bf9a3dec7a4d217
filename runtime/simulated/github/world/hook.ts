import type { HookEvent, HookSnapshot } from "../webhook-events.ts";
import type { Repository } from "./repository.ts";

/** A webhook of a repository. */
export interface Hook {
  readonly id: number;
  readonly repository: Repository;
  config: { readonly url: string; readonly content_type: string; readonly secret: string | undefined };
  events: readonly string[];
  active: boolean;
  readonly createdAt: string;
  updatedAt: string;
  lastStatus: number | null;
  /** The newest first. */
  deliveries: HookDelivery[];
  /** What was there when the webhook was last called: the next call has what has changed since. */
  seen: HookSnapshot;
}

/** What was sent to a webhook, and what came of it. */
export interface HookDelivery {
  readonly id: number;
  /** The header `X-GitHub-Delivery`: a delivery that is sent again has the same. */
  readonly guid: string;
  readonly event: HookEvent;
  readonly redelivery: boolean;
  /** Milliseconds since 1970. */
  readonly deliveredAt: number;
  /** Seconds. */
  readonly duration: number;
  /** HTTP status with which the address responded; 0 for none. */
  readonly status: number;
}

/** What goes wrong with deliveries, as it does with real ones. */
export interface HookTrouble {
  /** Milliseconds by which a delivery may be late, at random, so that deliveries come out of order. */
  readonly late: number;
  /** How many deliveries come twice: 0 for none, 1 for all. */
  readonly twice: number;
  /** How many deliveries never come. */
  readonly lost: number;
}

const noTrouble: HookTrouble = { late: 0, twice: 0, lost: 0 };

/** Reads `late:5000,twice:0.5,lost:0.1`, of which each may be absent. @throws Error for anything else */
export function readTrouble(text: string): HookTrouble {
  const parts = text.split(",").filter((part) => part !== "");
  const given = parts.map((part) => {
    const [name = "", value = ""] = part.split(":");
    const number = Number(value);
    const isGood = Object.hasOwn(noTrouble, name) && value !== "" && number >= 0 && number <= (name === "late" ? 3_600_000 : 1);
    if (!isGood)
      throw new Error(`SIMULATOR_WEBHOOKS has "${part}": it takes late:<milliseconds>, twice:<0 to 1> and lost:<0 to 1>`);
    return [name, number] as const;
  });
  return { ...noTrouble, ...Object.fromEntries(given) };
}
