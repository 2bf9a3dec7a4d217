import type { SyncEntry } from "./sync-entry.ts";

/** A sync that waits for itself never begins. Only a tree may go by its own records, when it says where it begins. */
export function checkCircle({ entity, spec, error, context }: SyncEntry): void {
  const { each } = spec;
  if (each === undefined) return;
  if (each.entity === entity.name) {
    if (each.root === undefined)
      error(["each", "entity"], "SPEC019", `${entity.name} goes by its own records, and nothing begins`, "say `root`");
    return;
  }
  const goesBy = (name: string) =>
    (context.connector.entities.find((one) => one.spec.entity === name)?.spec.sync ?? []).flatMap((one) =>
      one.scope === spec.scope && one.each !== undefined && one.each.entity !== name ? [one.each.entity] : [],
    );
  const way = wayBack(each.entity, entity.name, goesBy, []);
  if (way !== undefined) error(["each", "entity"], "SPEC019", `the sync goes in a circle: ${[entity.name, ...way].join(" → ")}`);
}

/** The names from one entity to another, both included; undefined when none leads there. */
function wayBack(
  from: string,
  to: string,
  goesBy: (name: string) => readonly string[],
  seen: readonly string[],
): readonly string[] | undefined {
  const here = [...seen, from];
  if (from === to) return here;
  if (seen.includes(from)) return undefined;
  for (const next of goesBy(from)) {
    const way = wayBack(next, to, goesBy, here);
    if (way !== undefined) return way;
  }
  return undefined;
}
