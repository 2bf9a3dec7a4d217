import type { SyncEntry } from "./sync-entry.ts";

/** Reports a sync that would wait for itself. Only a tree may go through its own records, if it says where the tree begins. */
export function checkCircle({ entity, spec, error, context }: SyncEntry): void {
  const { each } = spec;
  if (each === undefined) return;
  if (each.entity === entity.name) {
    if (each.root === undefined)
      error(
        ["each", "entity"],
        "SPEC019",
        `${entity.name} goes through its own records, but the first call is missing`,
        "`root` gives its parameters",
      );
    return;
  }
  const goesBy = (name: string) =>
    (context.connector.entities.find((one) => one.spec.entity === name)?.spec.sync ?? []).flatMap((one) =>
      one.scope === spec.scope && one.each !== undefined && one.each.entity !== name ? [one.each.entity] : [],
    );
  const way = wayBack(each.entity, entity.name, goesBy, []);
  if (way !== undefined)
    error(["each", "entity"], "SPEC019", `the sync would wait for itself: ${[entity.name, ...way].join(" → ")}`);
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
