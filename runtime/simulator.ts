import { startThread } from "./thread.ts";

/** A platform that behaves like the real one, on this machine, for trying the service without a token. */
export interface Simulator {
  readonly rest: string;
  readonly graphql: string;
  readonly token: string;
  close(): Promise<void>;
}

/**
 * Starts a simulated platform in a thread of its own, so that it takes no time from the service's event loop.
 *
 * @param module what a spec names as its simulator
 * @throws Error when the module fails, or ends before it is ready
 */
export async function startSimulator(module: URL): Promise<Simulator> {
  const worker = startThread(module);
  const started = await new Promise<{ url: string; graphqlUrl: string; token: string }>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("the simulated platform ended before it was ready")));
  });
  return {
    rest: started.url,
    graphql: started.graphqlUrl,
    token: started.token,
    close: async () => void (await worker.terminate()),
  };
}
