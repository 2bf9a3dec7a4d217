import { isMainThread } from "node:worker_threads";
import { serveCalls } from "../base/serve-calls.ts";
import { type Handle, listen } from "./listen.ts";
import type { SimulatedPlatform } from "./simulated-platform.ts";

/** What a simulator tells when it listens. */
export interface Ready {
  /** Address of the REST API. */
  readonly rest: string;
  /** Address of the GraphQL API; absent where the platform has none. */
  readonly graphql: string | undefined;
  /** A token that the simulated platform accepts. */
  readonly token: string;
}

export interface ServeOptions<World extends object, Viewer> {
  readonly token: string;
  /** Path of the GraphQL API below the server's address, where the platform has one. */
  readonly graphqlPath?: string;
  /** Loads the platform. It is called when the server listens, so that the service does not wait for it. */
  readonly platform: () => Promise<SimulatedPlatform<World, Viewer>>;
}

/** What the thread of a simulator serves. */
export interface SimulatorApi {
  /** Resolves when it listens. */
  open(): Promise<Ready>;
}

/**
 * What the module that a spec names as its simulator calls. As a thread it serves {@link SimulatorApi}; as a process of its own it listens
 * on `SIMULATOR_PORT`, and prints {@link Ready} as a line of JSON. Requests wait for the data set.
 */
export async function serveSimulator<World extends object, Viewer>(options: ServeOptions<World, Viewer>): Promise<void> {
  // Several simulators may run as threads of one service: one port cannot be for all of them.
  if (!isMainThread)
    return serveCalls<SimulatorApi>(() => ({ methods: { open: async () => (await openSimulator(options, 0)).ready } }));
  const { ready } = await openSimulator(options, Number(process.env["SIMULATOR_PORT"] ?? 0));
  process.stdout.write(`${JSON.stringify(ready)}\n`);
}

/**
 * Listens on this machine, and then loads the platform, for which requests wait.
 *
 * @param port 0 is any free one
 */
export async function openSimulator<World extends object, Viewer>(
  options: ServeOptions<World, Viewer>,
  port: number,
): Promise<{ readonly ready: Ready; readonly close: () => Promise<void> }> {
  const { promise: handle, resolve, reject } = Promise.withResolvers<Handle>();
  // A failure to load is not lost: it becomes the answer to every request.
  handle.catch(() => undefined);
  const { url, close } = await listen(port, async (...request) => (await handle)(...request));
  const { graphqlPath, token } = options;
  const load = async () => {
    const [{ handlerOf }, { Simulation }, platform] = await Promise.all([
      import("./handle.ts"),
      import("./simulation.ts"),
      options.platform(),
    ]);
    resolve(handlerOf(new Simulation(platform)));
    platform.graphql?.warm();
  };
  load().catch(reject);
  return { ready: { rest: url, graphql: graphqlPath === undefined ? undefined : url + graphqlPath, token }, close };
}
