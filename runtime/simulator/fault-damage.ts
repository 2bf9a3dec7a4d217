import type { Damage } from "./fault.ts";
import type { GraphqlResult, PlatformError } from "./graphql/platform-error.ts";

type Path = readonly (string | number)[];
interface Spot {
  readonly path: Path;
  readonly holder: { [key: string | number]: unknown };
  readonly key: string | number;
}

/** Removes parts of a good result in place, each with an error. Undefined: the result has nothing that the fault could strike. */
export function damage(fault: Damage, result: GraphqlResult): GraphqlResult | undefined {
  const spots = spotsOf(fault, result.data);
  if (spots.length === 0) return undefined;
  const errors = spots.map((spot): PlatformError => {
    spot.holder[spot.key] = null;
    return {
      ...(fault.type === undefined ? {} : { type: fault.type }),
      path: spot.path,
      locations: [{ line: 1, column: 1 }],
      message: "Something went wrong while loading this part.",
    };
  });
  return { data: result.data, errors: [...(result.errors ?? []), ...errors] };
}

/** Whether a fault strikes a finished result. */
export function isDamage<Fault extends { readonly kind: string }>(fault: Fault | Damage): fault is Damage {
  return fault.kind === "null-nodes" || fault.kind === "all-nodes-null" || fault.kind === "field-error";
}

function spotsOf(fault: Damage, data: unknown): Spot[] {
  switch (fault.kind) {
    case "null-nodes": {
      const elements = outermostList(data);
      const at = fault.at ?? [Math.floor(elements.length / 2)];
      return elements.filter((_, index) => at.includes(index));
    }
    case "all-nodes-null":
      return outermostList(data);
    case "field-error": {
      const spots = named(data, fault.field);
      return fault.at === undefined ? spots : spots.slice(fault.at, fault.at + 1);
    }
  }
}

/** The elements of the list `nodes` or `edges` that is nearest to the root of the result. */
function outermostList(data: unknown): Spot[] {
  for (const spot of breadthFirst(data)) {
    const value = spot.holder[spot.key];
    if ((spot.key !== "nodes" && spot.key !== "edges") || !Array.isArray(value) || value.length === 0) continue;
    const holder: Spot["holder"] = spot.holder[spot.key] as Spot["holder"];
    return value.map((_, key) => ({ path: [...spot.path, key], holder, key }));
  }
  return [];
}

/** The values of a field, by its response name, at the smallest depth at which the name occurs. */
function named(data: unknown, field: string): Spot[] {
  const spots = [...breadthFirst(data)].filter((spot) => spot.key === field);
  return spots.filter((spot) => spot.path.length === spots[0]?.path.length);
}

function* breadthFirst(data: unknown): Generator<Spot> {
  let level: { readonly value: unknown; readonly path: Path }[] = [{ value: data, path: [] }];
  while (level.length > 0) {
    const below: typeof level = [];
    for (const { value, path } of level) {
      if (typeof value !== "object" || value === null) continue;
      const holder = value as Spot["holder"];
      for (const name of Object.keys(holder)) {
        const key = Array.isArray(value) ? Number(name) : name;
        const spot = { path: [...path, key], holder, key };
        yield spot;
        below.push({ value: holder[name], path: spot.path });
      }
    }
    level = below;
  }
}
