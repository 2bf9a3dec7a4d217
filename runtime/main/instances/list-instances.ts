import type { StoredInstance } from "../../accounts/index.ts";
import { TenonError } from "../../base/errors.ts";
import type { Connector } from "../../contract/index.ts";
import { type Instances, type ListedInstance, settingsPlace } from "../../server/instance-of.ts";
import type { StoredInstances } from "./stored-instances.ts";

/** Every instance that there is now: one of each connector from the settings, and those that are stored. */
export async function listInstances(
  connectors: readonly Connector[],
  { instances }: Pick<Instances, "instances">,
  stored: Pick<StoredInstances, "list" | "mustAuthorize"> | undefined,
): Promise<ListedInstance[]> {
  const fromSettings = connectors.map(({ name, title }): ListedInstance => {
    const instance = instances.get(name);
    const status = instance === undefined ? "off" : "ready";
    const isSimulated = instance?.simulated === true;
    return { id: name, connector: name, title, ...settingsPlace, status, ...(isSimulated ? { simulated: true } : {}) };
  });
  const added: ListedInstance[] = [];
  for (const instance of (await stored?.list()) ?? []) {
    const { id, connector, workspace, organization } = instance;
    const known = connectors.find(({ name }) => name === connector);
    const status = known === undefined ? "off" : await statusOf(instance, stored);
    added.push({ id, connector, title: known?.title ?? connector, workspace, organization, status });
  }
  return [...fromSettings, ...added].sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function statusOf(
  instance: StoredInstance,
  stored: Pick<StoredInstances, "mustAuthorize"> | undefined,
): Promise<ListedInstance["status"]> {
  try {
    return (await stored?.mustAuthorize(instance)) === true ? "authorization_required" : "ready";
  } catch (thrown) {
    // A credential that cannot be decrypted makes one connector unusable, and must not hide the others.
    if (thrown instanceof TenonError && thrown.code === "accounts_unusable") return "off";
    throw thrown;
  }
}
