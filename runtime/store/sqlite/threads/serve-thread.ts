import { serveCalls } from "../../../base/serve-calls.ts";
import { Catalogue } from "../tables/catalogue.ts";
import { engineError } from "../tables/store-error.ts";
import { FileGuard } from "../tables/store-file.ts";
import type { ThreadOptions } from "./thread.ts";

/**
 * Runs in a thread of the store. Makes an object that has the store's file open, and serves its methods. The object is closed when the
 * thread is asked to end.
 *
 * @param make makes the object; when it throws, the main thread receives the error and this thread ends
 */
export function serveThread<Api extends object>(
  make: (options: ThreadOptions, catalogue: Catalogue, tell: (text: string) => void) => Api & { close(): void },
): void {
  serveCalls<Api, ThreadOptions>((options, tell) => {
    const served = make(options, new Catalogue(options.plans), tell);
    const guard = new FileGuard(options.file);
    return {
      methods: served,
      check: () => guard.check(),
      errorFor: engineError,
      // A large answer.
      memoryOf: (value) => {
        const json = typeof value === "object" && value !== null && "json" in value ? value.json : undefined;
        return json instanceof Uint8Array ? [json.buffer as ArrayBuffer] : [];
      },
      close: () => served.close(),
    };
  }, engineError);
}
