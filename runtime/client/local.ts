import packageFile from "../../package.json" with { type: "json" };
import { createLog } from "../base/log.ts";
import { type Redact, redactor } from "../base/redact.ts";
import type { Connector } from "../contract/index.ts";
import { connect, endpointsOf, execute, singleCredential } from "../execute/index.ts";
import { fromLocal, NotImplementedError } from "./errors.ts";
import type { LocalOptions } from "./options.ts";
import type { Call, Transport } from "./transport.ts";

/** Runs actions in this process: the platform is called with the token of the options, by the same handlers as on a service. */
export function localTransport(connector: Connector, options: LocalOptions): Transport {
  const { accessToken, restUrl, graphqlUrl, fetch } = options;
  const { secrets } = connector.platform.auth;
  let redact: Redact = redactor(secrets);
  let known: string | undefined;
  const token = async () => {
    const present = typeof accessToken === "string" ? accessToken : await accessToken();
    // What the platform says is shown without the present token, even where the token has no form by which it could be recognised.
    if (present !== known) redact = redactor(secrets, [present]);
    known = present;
    return present;
  };
  const instance = connect({
    id: connector.name,
    workspace: "local",
    connector,
    endpoints: endpointsOf(connector, { rest: restUrl, graphql: graphqlUrl }),
    credential: async () => singleCredential(connector.platform.auth.kinds, await token()),
    userAgent: `tenon/${packageFile.version}`,
    redact: (text) => redact(text),
    ...(fetch === undefined ? {} : { fetch }),
  });
  const log = createLog("silent", (text) => redact(text), { write: () => undefined });
  return {
    execute: async (triple, { signal, timeout, requestId }: Call) => {
      if (triple.action === "context_store_search")
        throw new NotImplementedError(
          "contextStoreSearch searches records that a service has stored, so that it works in hosted mode only. Use list, get or apiSearch.",
          { requestId },
        );
      signal?.throwIfAborted();
      const gone = new AbortController();
      const abort = () => gone.abort(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      try {
        const { data, meta } = await execute(instance, triple, { timeout, signal: gone.signal, log, requestId });
        return { data, meta };
      } catch (thrown) {
        if (signal?.aborted === true) throw signal.reason;
        throw fromLocal(thrown, requestId);
      } finally {
        signal?.removeEventListener("abort", abort);
      }
    },
  };
}
