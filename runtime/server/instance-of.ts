import { type Grant, type InstancePlace, seesInstance } from "../accounts/index.ts";
import { TenonError } from "../base/errors.ts";
import type { ConnectorInstance } from "../execute/index.ts";

/** The connectors of a service by their ids: those that can be used, those that are starting, and those that are off with the reason. */
export interface Instances {
  readonly instances: ReadonlyMap<string, ConnectorInstance>;
  /** Those whose simulator is starting; they stand in `instances` once it has started. */
  readonly starting?: ReadonlySet<string>;
  /** Why a connector is off, in words for a caller. */
  readonly off?: ReadonlyMap<string, string>;
}

/** Where the instances stand that come from the settings. */
const fromSettings = { workspace: "default", organization: null };

/**
 * The instance with this id. One that the caller may not use is told as one that does not exist.
 *
 * @throws TenonError `unknown_connector`, `starting`, or `connector_not_configured` for one that is off
 */
export function instanceOf({ instances, starting, off }: Instances, id: unknown, grant: Grant): ConnectorInstance {
  const place: InstancePlace | undefined = typeof id === "string" ? { id, ...fromSettings } : undefined;
  if (place === undefined || !seesInstance(grant, place)) throw unknownConnector();
  const instance = typeof id === "string" ? instances.get(id) : undefined;
  if (instance !== undefined) return instance;
  const reason = typeof id === "string" ? off?.get(id) : undefined;
  if (reason !== undefined) throw new TenonError("connector_not_configured", reason);
  if (typeof id === "string" && starting?.has(id) === true)
    throw new TenonError("starting", "This connector is starting. Try again shortly.", { retryAfter: 1 });
  throw unknownConnector();
}

function unknownConnector(): TenonError {
  return new TenonError("unknown_connector", "There is no connector with this id.");
}
