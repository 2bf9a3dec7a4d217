import { simulatedGithub } from "../../../runtime/simulated/github/platform.ts";
import { graphqlPath } from "../../../runtime/simulated/github/tokens.ts";
import type { World } from "../../../runtime/simulated/github/world/world.ts";
import { handlerOf } from "../../../runtime/simulator/handle.ts";
import { listen } from "../../../runtime/simulator/listen.ts";
import type { RecordedRequest } from "../../../runtime/simulator/request.ts";
import { Simulation } from "../../../runtime/simulator/simulation.ts";
import type { Fault } from "./fault.ts";
import { machineFault } from "./fault-answer.ts";

export type { World } from "../../../runtime/simulated/github/world/world.ts";
export type { RecordedRequest } from "../../../runtime/simulator/request.ts";
export type { Fault } from "./fault.ts";

export interface PlatformOptions {
  /** 0, the default, is any free port. */
  readonly port?: number;
  readonly seed?: number;
}

/** A simulated GitHub whose data and faults tests reach from the same thread. */
export interface Platform {
  /** Base of the REST addresses; GraphQL is at `/graphql` below it. */
  readonly url: string;
  readonly graphqlUrl: string;
  /** The data set. Tests may change it; the object stays the same through `reset()`. */
  readonly world: World;
  /** The last thousand requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** How many requests have come, those that are not answered yet among them. */
  readonly arrived: number;
  /** Milliseconds by which the platform's clock is ahead of this machine's. */
  ahead: number;
  fail(fault: Fault): void;
  /** Ends all faults except those of the quota. The data stay, so requests under way are not disturbed. */
  recover(): void;
  /**
   * Forgets faults, requests and quota counters and puts the seeded data back. Not for while requests are under way: they would see both.
   */
  reset(): void;
  close(): Promise<void>;
}

/** Starts a server on this machine that behaves like GitHub's API. */
export async function startPlatform({ port = 0, seed }: PlatformOptions = {}): Promise<Platform> {
  const simulation = new Simulation(simulatedGithub, seed);
  const { url, close } = await listen(port, handlerOf(simulation));
  return {
    url,
    graphqlUrl: `${url}${graphqlPath}`,
    world: simulation.world,
    requests: simulation.requests,
    get arrived() {
      return simulation.arrived;
    },
    get ahead() {
      return simulation.ahead;
    },
    set ahead(milliseconds) {
      simulation.ahead = milliseconds;
    },
    fail(fault) {
      if (fault.kind !== "quota") return simulation.faults.add(machineFault(fault));
      const { on = "any", remaining, limit, resetIn } = fault;
      for (const api of on === "any" ? (["graphql", "rest"] as const) : [on])
        simulation.limits.set(api, remaining, limit, resetIn);
    },
    recover: () => simulation.faults.clear(),
    reset: () => simulation.reset(),
    close,
  };
}
