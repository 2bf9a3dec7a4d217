import type { FaultQueue } from "./fault-queue.ts";
import type { RateLimits } from "./rate-limit.ts";
import { seedWorld } from "./seed/world.ts";
import type { Identities } from "./world/identity.ts";
import type { World } from "./world/world.ts";

/** All that changes while the platform runs. */
export interface State {
  readonly world: World;
  identities: Identities;
  readonly faults: FaultQueue;
  readonly limits: RateLimits;
  /** REST address, known once the server listens. */
  rest: string;
}

/** Puts the seeded data back into the same `World`, so that whoever holds it sees it. */
export function reseed(state: State, seed: number | undefined): void {
  const { world, identities } = seedWorld(seed);
  Object.assign(state.world, world);
  state.identities = identities;
}

export const webAddress = "https://github.com";
