import packageFile from "../../package.json" with { type: "json" };
import { silentLogger as log } from "../base/logger.ts";
import { growingRedactor } from "../base/redact.ts";
import { type Connector, isStoreAction } from "../contract/index.ts";
import { connect, endpointsOf, execute, missingVariables } from "../execute/index.ts";
import { callError, fromLocal, NotImplementedError } from "./errors.ts";
import { localSource } from "./local-credential.ts";
import type { LocalOptions } from "./options.ts";
import type { ClientCall, Transport } from "./transport.ts";

/**
 * Runs actions in this process: the platform is called with the credential of the options, by the same handlers as on a service.
 *
 * @throws CallError `invalid_request` when the connector takes no such credential
 */
export function localTransport(connector: Connector, options: LocalOptions): Transport {
  const { restUrl, graphqlUrl, variables, fetch } = options;
  const redaction = growingRedactor(connector.platform.auth.secrets, []);
  const { redact } = redaction;
  checkVariables(connector, variables ?? {});
  const endpoints = endpointsOf(connector, { rest: restUrl, graphql: graphqlUrl, variables });
  const userAgent = `tenon/${packageFile.version}`;
  const instance = connect({
    id: connector.name,
    workspace: "local",
    connector,
    endpoints,
    ...localSource(connector, options, { endpoints, userAgent, redaction }),
    userAgent,
    redact,
    ...(fetch === undefined ? {} : { fetch }),
  });
  return {
    changes: async (_query, { requestId }) => {
      throw new NotImplementedError("changes reads what a service has stored, so that it works in hosted mode only.", {
        requestId,
      });
    },
    execute: async (triple, { signal, timeout, requestId }: ClientCall) => {
      if (isStoreAction(triple.action))
        throw new NotImplementedError(
          "contextStoreSearch and sql search records that a service has stored, so that they work in hosted mode only. Use list, get or apiSearch.",
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

/** @throws CallError `invalid_request` for values of variables that the platform does not have, or that are missing */
function checkVariables(connector: Connector, given: Readonly<Record<string, string>>): void {
  const { title, platform } = connector;
  const missing = missingVariables(connector, given);
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(platform.variables ?? {}, name));
  if (missing.length > 0) throw callError("invalid_request", `${title} needs a value in variables for ${missing.join(", ")}.`);
  if (unknown.length > 0) throw callError("invalid_request", `${title} has no variable ${unknown.join(", ")}.`);
}
