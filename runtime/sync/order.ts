import type { Connector } from "../contract/index.ts";

/** The entities that a kind of scope fills, each behind the entities of its parents. The generator refuses specs in which this is a circle. */
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
