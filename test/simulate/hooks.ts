import { asTenonError } from "../../runtime/base/errors.ts";
import type { HookEvent } from "../../runtime/simulated/github/webhook-events.ts";
import type { Chaos } from "./chaos.ts";
import type { Clock } from "./clock.ts";
import type { Node } from "./node.ts";
import type { Platform } from "./platform.ts";

// The webhooks of the platform, and what follows from them: once a process has acknowledged one, the cache must get what it names, and no
// other webhook or sync may be needed for that.

/** Milliseconds for which the platform waits for an acknowledgement. */
const patience = 10_000;
/** How often the platform sends a webhook that was not acknowledged. */
const mostTries = 3;

export interface HooksOptions {
  readonly clock: Clock;
  readonly chaos: Chaos;
  readonly platform: Platform;
  readonly trace: (line: string) => void;
  /** The processes that run now. */
  readonly nodes: () => readonly Node[];
  /** Ends a process. */
  readonly end: (node: Node) => Promise<void>;
}

export class Hooks {
  readonly counts = { webhooks: 0, acknowledgedWebhooks: 0 };
  /** Whether the platform sends webhooks. */
  readonly isOn: boolean;
  readonly #options: HooksOptions;
  /** The values of all records, by entity and key. */
  #now: ReadonlyMap<string, string> = new Map();
  /** The values that acknowledged webhooks have named, as long as they are the last ones; undefined for a record that is gone. */
  readonly #told = new Map<string, string | undefined>();
  /** Whether records may stay that are gone. */
  #mayStay = false;

  constructor(options: HooksOptions) {
    this.#options = options;
    this.isOn = options.chaos.chance(0.6);
    this.send();
  }

  /** Sends webhooks of what has changed since the last call. */
  send(): void {
    const { platform } = this.#options;
    const before = this.#now;
    this.#now = platform.values();
    const keys = new Set([...before.keys(), ...this.#now.keys()]);
    const changed = [...keys].filter((key) => before.get(key) !== this.#now.get(key));
    for (const key of changed) this.#told.delete(key);
    for (const event of platform.events()) if (this.isOn) this.#send(event, changed);
  }

  /** What the cache must have soon after all faults are over. */
  get expected(): ReadonlyMap<string, string | undefined> {
    if (!this.isOn) return this.#now;
    return new Map([...this.#told].filter(([, value]) => value !== undefined || !this.#mayStay));
  }

  /** Takes a line of a process's log, which may say that something is not followed on purpose. */
  log(line: string): void {
    // It failed so often that it is left to the next sync.
    if (line.includes("what a webhook named could not be read")) this.#told.clear();
    // More than half of the records would have been removed, which needs a person who allows it.
    if (line.includes('"outcome":"refused"')) this.#mayStay = true;
  }

  /** Everything was synced, and removed. */
  synced(): void {
    this.#mayStay = false;
  }

  /** @param changed the records of which the value is newer than in webhooks before it */
  #send(event: HookEvent, changed: readonly string[]): void {
    const { chaos } = this.#options;
    const delivery = `delivery ${++this.counts.webhooks}`;
    if (chaos.strikes("webhook lost", 10)) return;
    const text = JSON.stringify(event.payload);
    const about = changed.filter((key) => text.includes(`"${key.slice(key.indexOf(" ") + 1)}"`));
    const told = about.map((key) => [key, this.#now.get(key)] as const);
    for (let times = chaos.strikes("webhook twice", 10) ? 2 : 1; times > 0; times--) void this.#deliver(event, delivery, told);
  }

  /** Sends a webhook until a process acknowledges it, or the platform gives up. */
  async #deliver(event: HookEvent, delivery: string, told: readonly (readonly [string, string | undefined])[]): Promise<void> {
    const { clock, chaos, nodes, end, trace } = this.#options;
    for (let tries = 0; tries < mostTries; tries++) {
      // Most come at once: then one may come while what the last one has named is being read.
      await clock.sleep(chaos.way(chaos.chance(0.5) ? 20 : 2_000));
      const node = chaos.pick(nodes());
      const take = (one: Node) =>
        one.take(event, delivery).then(
          () => true,
          (thrown: unknown) => {
            trace(`NOT TAKEN ${delivery}: ${asTenonError(thrown).code}`);
            return false;
          },
        );
      const late = clock.sleep(patience).then(() => false);
      if (node !== undefined && (await Promise.race([clock.as(node, () => take(node)), late]))) {
        this.counts.acknowledgedWebhooks++;
        for (const [key, value] of told) if (this.#now.get(key) === value) this.#told.set(key, value);
        if (chaos.strikes("process ended after an acknowledgement", 5)) await end(node);
        return;
      }
      await clock.sleep(1_000 * chaos.below(60));
    }
  }
}
