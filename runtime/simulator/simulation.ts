import { createFaultQueue, type FaultQueue } from "./fault-queue.ts";
import { createRateLimits, type RateLimits } from "./rate-limit.ts";
import type { RecordedRequest } from "./request.ts";
import type { SimulatedPlatform } from "./simulated-platform.ts";

const mostRequests = 1000;

/** A simulated platform with its data and all else that changes while it runs. */
export class Simulation<World extends object, Viewer> {
  readonly platform: SimulatedPlatform<World, Viewer>;
  /** The data set. Tests may change it; the object stays the same through `reset()`. */
  readonly world: World;
  readonly faults: FaultQueue<Viewer> = createFaultQueue();
  readonly limits: RateLimits;
  /** The last thousand requests, oldest first. */
  readonly requests: RecordedRequest[] = [];
  /** How many requests have come, those that are not answered yet among them. */
  arrived = 0;
  /** Milliseconds by which the platform's clock is ahead of this machine's; negative where it is behind. */
  ahead = 0;
  readonly #seed: number | undefined;

  constructor(platform: SimulatedPlatform<World, Viewer>, seed?: number) {
    this.platform = platform;
    this.#seed = seed;
    this.world = platform.seed(seed);
    this.limits = createRateLimits(platform.quota.perHour, () => this.ahead);
  }

  record(request: RecordedRequest): void {
    this.requests.push(request);
    if (this.requests.length > mostRequests) this.requests.shift();
  }

  /** Forgets faults, requests and quota counters and puts the seeded data back. */
  reset(): void {
    this.faults.clear();
    this.limits.clear();
    this.requests.length = 0;
    this.arrived = 0;
    this.ahead = 0;
    Object.assign(this.world, this.platform.seed(this.#seed));
  }
}

/** A simulation, and the address at which it is served. */
export interface Served<World extends object, Viewer> {
  readonly simulation: Simulation<World, Viewer>;
  readonly url: string;
}
