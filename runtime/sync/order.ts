import type { Connector } from "../contract/index.ts";

/** Entities that a kind of scope fills, each behind those that it has its parents in. The generator has made sure that there is no circle. */
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

/** Entities together with all that they have their parents in. */
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
