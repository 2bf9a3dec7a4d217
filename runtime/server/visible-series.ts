import { hasRight, mayUseEntity } from "../accounts/index.ts";
import { isVisible, type ListedInstance, type Looker } from "./instance-of.ts";

/** Whether a caller sees a series that has these labels, by their names. */
type Sees = (labels: ReadonlyMap<string, string>) => boolean;

/**
 * Leaves out of metrics what a caller may not know: series of instances and entities that it may not use, and names of scopes, which may be
 * those of private repositories. A scope has records of all entities, so that a grant for some of them sees none.
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
  const instances = seesEveryInstance(looker) ? undefined : await idsOf(looker, list);
  const scopes = grant.entities === null && (hasRight(grant, "read") || hasRight(grant, "sync"));
  if (instances === undefined && scopes) return text;
  const sees: Sees = (labels) => {
    const [instance, entity] = [labels.get("instance"), labels.get("entity")];
    if (instance !== undefined && instances?.has(instance) === false) return false;
    return (entity === undefined || mayUseEntity(grant, entity)) && (scopes || !labels.has("scope"));
  };
  return text
    .split("\n")
    .filter((line) => line.startsWith("#") || !/\b(?:instance|entity|scope)="/.test(line) || sees(labelsOf(line)))
    .join("\n");
}

function seesEveryInstance({ grant, organization }: Looker): boolean {
  const { instances, workspaces } = grant;
  return instances === null && workspaces === null && grant.organization === null && organization === undefined;
}

/** What else was counted is answered also while the instances cannot be listed; that they cannot is noted in the log by the health report. */
async function idsOf(looker: Looker, list: () => Promise<readonly ListedInstance[]>): Promise<ReadonlySet<string>> {
  const all = await list().catch(() => []);
  return new Set(all.filter((one) => isVisible(looker, one)).map(({ id }) => id));
}

/** The labels of a series. A value is taken up to its end, so that nothing within it is mistaken for a label. */
function labelsOf(line: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g), ([, name = "", value = ""]): [string, string] => [name, value]),
  );
}
