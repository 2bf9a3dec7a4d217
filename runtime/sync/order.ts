import type { Connector } from "../contract/index.ts";

/**
 * The entities that a kind of scope fills, each behind the entities of its parents. The generator refuses specs in which this is a circle.
 */
export function syncOrder(connector: Connector, kind: string): string[] {
  const order: string[] = [];
  const visit = (entity: string) => {
    if (order.includes(entity)) return;
    const plans = connector.entities[entity]?.sync.filter(({ scope }) => scope === kind) ?? [];
    if (plans.length === 0) return;
    for (const { each } of plans) if (each !== undefined && each.entity !== entity) visit(each.entity);
    order.push(entity);
  };
  for (const entity of Object.keys(connector.entities)) visit(entity);
  return order;
}

/** The given entities, the entities of their parents, and so on up to those without parents. */
export function withParents(connector: Connector, entities: readonly string[]): Set<string> {
  const all = new Set<string>();
  const add = (entity: string) => {
    if (all.has(entity)) return;
    all.add(entity);
    for (const { each } of connector.entities[entity]?.sync ?? []) if (each !== undefined) add(each.entity);
  };
  for (const entity of entities) add(entity);
  return all;
}

/** The entities for each of whose records a kind of scope reads an entity. */
export function parentsOf(connector: Connector, kind: string, entity: string): string[] {
  const plans = connector.entities[entity]?.sync ?? [];
  return plans.flatMap(({ scope, each }) => (scope === kind && each !== undefined ? [each.entity] : []));
}

/** The entities that a kind of scope reads for each record of an entity. */
export function childrenOf(connector: Connector, kind: string, entity: string): string[] {
  return Object.keys(connector.entities).filter((one) => parentsOf(connector, kind, one).includes(entity));
}

/**
 * The entities that a kind of scope fills, in sync groups: parents together with everything that is read for their records, such as issues
 * and pull requests with their comments. A sync run reads and changes what is noted of its own entity, looks at the records of its parents,
 * and drops what is noted of its children. So the sync runs of two sync groups do not meet, and two processes may read them at the same
 * time.
 *
 * @returns each sync group in an order in which entities come after their parents. The first one gives the sync group its name
 */
export function syncGroupsOf(connector: Connector, kind: string): string[][] {
  const syncGroups: string[][] = [];
  for (const entity of syncOrder(connector, kind)) {
    const parents = parentsOf(connector, kind, entity);
    const [syncGroup, ...others] = syncGroups.filter((one) => one.some((member) => parents.includes(member)));
    if (syncGroup === undefined) syncGroups.push([entity]);
    else {
      // The entity has brought them together.
      for (const other of others) syncGroup.push(...syncGroups.splice(syncGroups.indexOf(other), 1).flat());
      syncGroup.push(entity);
    }
  }
  return syncGroups;
}
