import type { Request } from "express";
import { type Grant, type InstanceIdentity, seesInstance } from "../accounts/index.ts";
import { TenonError } from "../base/errors.ts";
import type { ConnectorInstance } from "../execute/index.ts";

/** An instance as a list shows it. */
export interface ListedInstance extends InstanceIdentity {
  /** Name and title of its connector. */
  readonly connector: string;
  readonly title: string;
  readonly status: "ready" | "off" | "authorization_required";
  /** Set where its data is invented. */
  readonly simulated?: true;
}

/** The connector instances of a service. */
export interface Instances {
  /** Those of the settings that can be used, by their ids. */
  readonly instances: ReadonlyMap<string, ConnectorInstance>;
  /** Why a connector is off, in words for a caller. */
  readonly off?: ReadonlyMap<string, string>;
  /** Those that are stored. */
  readonly stored?: InstanceFinder | undefined;
}

/** Finds stored instances as they are now, although another process may add, change and remove them. */
export interface InstanceFinder {
  /**
   * @param looker who asks for it; undefined for the process itself
   * @returns undefined where there is none, or none for the looker
   * @throws TenonError `accounts_unusable`, or `connector_not_configured` for one that the looker sees and that cannot be used
   */
  find(id: string, looker: Looker | undefined): Promise<ConnectorInstance | undefined>;
}

/** Who asks for an instance. */
export interface Looker {
  readonly grant: Grant;
  /** The organization that the request names; undefined where it names none. */
  readonly organization?: string | undefined;
}

/** The workspace of the instances that come from the settings. They belong to no organization. */
export const settingsPlace = { workspace: "default", organization: null } as const;

/** The organization that a request names: only its instances are then there for the request. */
export function organizationOf(request: Request): string | undefined {
  const header = request.headers["x-organization-id"];
  return typeof header === "string" && header !== "" ? header : undefined;
}

export function isVisible({ grant, organization }: Looker, place: InstanceIdentity): boolean {
  return seesInstance(grant, place) && (organization === undefined || place.organization === organization);
}

/**
 * The instance with this id. One that the caller may not use is reported as one that does not exist.
 *
 * @throws TenonError `unknown_connector`, or `connector_not_configured` for one that is off
 */
export async function instanceOf({ instances, off, stored }: Instances, id: unknown, looker: Looker): Promise<ConnectorInstance> {
  if (typeof id !== "string") throw unknownConnector();
  const instance = instances.get(id);
  const reason = off?.get(id);
  if (instance === undefined && reason === undefined) {
    const found = await stored?.find(id, looker);
    if (found === undefined) throw unknownConnector();
    return found;
  }
  if (!isVisible(looker, { id, ...settingsPlace })) throw unknownConnector();
  if (instance === undefined) throw new TenonError("connector_not_configured", reason ?? "");
  return instance;
}

function unknownConnector(): TenonError {
  return new TenonError("unknown_connector", "There is no connector with this id.");
}
