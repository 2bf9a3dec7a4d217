import { hasRight, mayUseEntity } from "../../accounts/index.ts";
import { isVisible, type ListedInstance, type Looker } from "../instance-of.ts";

/** Whether a caller sees a series that has these labels, by their names. */
type Sees = (labels: ReadonlyMap<string, string>) => boolean;

/**
 * Leaves out of metrics what a caller may not know: series of instances and entities that it may not use, series that count all instances
 * of a connector together unless it may use each of them, and names of scopes, which may be those of private repositories. A scope has
 * records of all entities, so that a grant for some of them sees none.
 *
 * @param text in the text format of Prometheus
 * @param list all instances that there are
 */
export async function visibleSeries(
  text: string,
  looker: Looker,
  list: () => Promise<readonly ListedInstance[]>,
): Promise<string> {
  const { grant } = looker;
  const seen = seesEveryInstance(looker) ? undefined : await seenBy(looker, list);
  const scopes = grant.entities === null && (hasRight(grant, "read") || hasRight(grant, "sync"));
  if (seen === undefined && scopes) return text;
  const sees: Sees = (labels) => {
    const [instance, connector, entity] = [labels.get("instance"), labels.get("connector"), labels.get("entity")];
    if (instance !== undefined && seen?.instances.has(instance) === false) return false;
    if (connector !== undefined && seen?.connectors.has(connector) === false) return false;
    return (entity === undefined || mayUseEntity(grant, entity)) && (scopes || !labels.has("scope"));
  };
  return text
    .split("\n")
    .filter((line) => line.startsWith("#") || !/\b(?:instance|connector|entity|scope)="/.test(line) || sees(labelsOf(line)))
    .join("\n");
}

function seesEveryInstance({ grant, organization }: Looker): boolean {
  const { instances, workspaces } = grant;
  return instances === null && workspaces === null && grant.organization === null && organization === undefined;
}

interface Seen {
  /** Ids of the instances that the looker may use. */
  readonly instances: ReadonlySet<string>;
  /** Names of the connectors of which it may use every instance. */
  readonly connectors: ReadonlySet<string>;
}

/**
 * Other series are returned even while the instances cannot be listed; the health report logs that they cannot.
 */
async function seenBy(looker: Looker, list: () => Promise<readonly ListedInstance[]>): Promise<Seen> {
  const all = await list().catch(() => []);
  const hidden = new Set(all.filter((one) => !isVisible(looker, one)).map(({ connector }) => connector));
  const connectors = all.map(({ connector }) => connector).filter((connector) => !hidden.has(connector));
  return {
    instances: new Set(all.filter((one) => isVisible(looker, one)).map(({ id }) => id)),
    connectors: new Set(connectors),
  };
}

/** The labels of a series. A value is taken up to its end, so that nothing within it is mistaken for a label. */
function labelsOf(line: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, name = "", value = ""]): [string, string] => [name, value]),
  );
}
