import { once } from "node:events";
import type { Fault } from "./fault.ts";
import { createFaultQueue } from "./fault-queue.ts";
import { createRateLimits } from "./rate-limit.ts";
import type { RecordedRequest } from "./request.ts";
import { seedWorld } from "./seed/world.ts";
import { createPlatformServer } from "./server.ts";
import { reseed, type State } from "./state.ts";
import type { World } from "./world/world.ts";

export type { Fault } from "./fault.ts";
export type { RecordedRequest } from "./request.ts";
export type { World } from "./world/world.ts";

export interface PlatformOptions {
  /** 0, the default, is any free port. */
  readonly port?: number;
  readonly seed?: number;
}

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
  fail(fault: Fault): void;
  /** Forgets faults, requests and quota counters and puts the seeded data back. */
  reset(): void;
  close(): Promise<void>;
}

const mostRequests = 1000;

/** Starts a server on this machine that behaves like the platform's API. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { world, identities } = seedWorld(options.seed);
  const state: State = { world, identities, faults: createFaultQueue(), limits: createRateLimits(), rest: "" };
  const requests: RecordedRequest[] = [];
  let arrived = 0;
  const server = createPlatformServer(state, {
    arrived: () => void arrived++,
    recorded(request) {
      requests.push(request);
      if (requests.length > mostRequests) requests.shift();
    },
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the simulated platform has no port");
  state.rest = `http://127.0.0.1:${address.port}`;
  return {
    url: state.rest,
    graphqlUrl: `${state.rest}/graphql`,
    world,
    requests,
    get arrived() {
      return arrived;
    },
    fail(fault) {
      if (fault.kind !== "quota") return state.faults.add(fault);
      const resources = { graphql: ["graphql"], rest: ["core"], any: ["graphql", "core"] } as const;
      for (const resource of resources[fault.on ?? "any"])
        state.limits.set(resource, fault.remaining, fault.limit, fault.resetIn);
    },
    reset() {
      state.faults.clear();
      state.limits.clear();
      requests.length = 0;
      arrived = 0;
      reseed(state, options.seed);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
