import type { Connector } from "../contract/index.ts";
import { type Instances, type ListedInstance, settingsPlace } from "../server/instance-of.ts";
import type { StoredInstances } from "./stored-instances.ts";

/** Every instance that there is now: one of each connector from the settings, and those that are stored. */
export async function listInstances(
  connectors: readonly Connector[],
  { instances, off }: Pick<Instances, "instances" | "off">,
  stored: StoredInstances | undefined,
): Promise<ListedInstance[]> {
  const fromSettings = connectors.map(({ name, title }): ListedInstance => {
    const status = instances.has(name) ? "ready" : off?.has(name) === true ? "off" : "starting";
    return { id: name, connector: name, title, ...settingsPlace, status };
  });
  const added: ListedInstance[] = [];
  for (const instance of (await stored?.list()) ?? []) {
    const { id, connector, workspace, organization } = instance;
    const known = connectors.find(({ name }) => name === connector);
    const usable = (await stored?.mustAuthorize(instance)) === true ? "authorization_required" : "ready";
    const status = known === undefined ? "off" : usable;
    added.push({ id, connector, title: known?.title ?? connector, workspace, organization, status });
  }
  return [...fromSettings, ...added].sort((one, other) => (one.id < other.id ? -1 : 1));
}
