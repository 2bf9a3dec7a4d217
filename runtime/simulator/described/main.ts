import { isMainThread } from "node:worker_threads";
import { serveCalls } from "../../base/serve-calls.ts";
import { openSimulator, type Ready, serveSimulator } from "../serve-thread.ts";
import { readPlatformFile } from "./platform-file.ts";

// Serves platforms that YAML files tell of: as a process the one of the file that the first argument names, in a thread any number.

/** What the thread serves. */
export interface DescribedApi {
  /** @param href address of the file @throws Error when it cannot be read */
  open(href: string): Promise<Ready>;
  /** @param rest address of a platform that was opened */
  close(rest: string): Promise<void>;
}

if (isMainThread) {
  const given = process.argv[2];
  if (given === undefined) throw new Error("the address of a file with records is missing");
  await serveSimulator(optionsOf(new URL(given, `file://${process.cwd()}/`)));
} else {
  const closing = new Map<string, () => Promise<void>>();
  serveCalls<DescribedApi>(() => ({
    methods: {
      async open(href) {
        const { ready, close } = await openSimulator(optionsOf(new URL(href)), 0);
        closing.set(ready.rest, close);
        return ready;
      },
      async close(rest) {
        await closing.get(rest)?.();
        closing.delete(rest);
      },
    },
  }));
}

function optionsOf(address: URL) {
  const read = readPlatformFile(address);
  const { file } = read;
  return {
    token: file.token,
    ...(file.graphql === undefined ? {} : { graphqlPath: file.graphql.path }),
    platform: async () => (await import("./platform.ts")).describedPlatform(read),
  };
}
