import { TenonError } from "../base/errors.ts";
import type { ConnectorInstance } from "../execute/index.ts";

/** The connectors of a service by their ids: those that can be used, and those that are off with the reason. */
export interface Instances {
  readonly instances: ReadonlyMap<string, ConnectorInstance>;
  /** Why a connector is off, in words for a caller. */
  readonly off?: ReadonlyMap<string, string>;
}

/** @throws TenonError `unknown_connector`, or `connector_not_configured` for one that is off */
export function instanceOf({ instances, off }: Instances, id: unknown): ConnectorInstance {
  const instance = typeof id === "string" ? instances.get(id) : undefined;
  if (instance !== undefined) return instance;
  const reason = typeof id === "string" ? off?.get(id) : undefined;
  if (reason !== undefined) throw new TenonError("connector_not_configured", reason);
  throw new TenonError("unknown_connector", "There is no connector with this id.");
}
