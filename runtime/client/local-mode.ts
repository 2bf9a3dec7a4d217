import { madeOnce } from "../base/made-once.ts";
import type { Connector } from "../contract/index.ts";
import { addressOf } from "./address.ts";
import type { LocalMode, Transport } from "./transport.ts";

// Local mode where Node runs the client. Bundles for other platforms get hosted-only.ts in its place: see `exports` in package.json.

/**
 * What makes a connector's client able to call the platform itself. The modules that it needs are loaded with the first call.
 *
 * @param connector loads the connector
 */
export function localMode(connector: () => Promise<Connector>): LocalMode {
  return (options) => {
    for (const name of ["restUrl", "graphqlUrl"] as const) if (options[name] !== undefined) addressOf(name, options[name]);
    return madeOnce(async (): Promise<Transport> => {
      const [{ localTransport }, loaded] = await Promise.all([import("./local.ts"), connector()]);
      return localTransport(loaded, options);
    });
  };
}
