import type { Draft } from "./draft.ts";

/**
 * Moves what several entities have in the same form into `connector.yaml`: fields and parameters become shared ones, which entities name
 * without a value.
 */
export function factored(
  entities: ReadonlyMap<string, Draft>,
  shared: Draft,
): { readonly fields: Draft; readonly params: Draft } {
  const fields = common(
    [...entities.values()].map((entity) => (entity["fields"] ?? {}) as Draft),
    {},
  );
  const actions = [...entities.values()].flatMap((entity) => Object.values((entity["actions"] ?? {}) as Draft) as Draft[]);
  const params = common(
    actions.map((action) => (action["params"] ?? {}) as Draft),
    shared,
  );
  return { fields, params };
}

/** The members that at least two mappings have with the same value; each is replaced there by its name alone. */
function common(mappings: readonly Draft[], known: Draft): Draft {
  const counts = new Map<string, Map<string, number>>();
  for (const mapping of mappings)
    for (const [name, value] of Object.entries(mapping)) {
      const values = counts.get(name) ?? new Map<string, number>();
      const text = JSON.stringify(value);
      values.set(text, (values.get(text) ?? 0) + 1);
      counts.set(name, values);
    }
  const shared: Draft = {};
  for (const [name, values] of counts) {
    const [best] = [...values].sort(([, a], [, b]) => b - a);
    if (Object.hasOwn(known, name) && values.has(JSON.stringify(known[name]))) shared[name] = known[name];
    else if (best !== undefined && best[1] > 1) shared[name] = JSON.parse(best[0]);
  }
  for (const mapping of mappings)
    for (const name of Object.keys(mapping)) {
      if (!Object.hasOwn(shared, name)) continue;
      const own = mapping[name] as Draft;
      const base = shared[name] as Draft;
      // Keys that only the shared entry has would be taken over: then the entry stays as it is.
      const foreign = Object.keys(base).some((key) => !Object.hasOwn(own, key));
      if (JSON.stringify(own) === JSON.stringify(base)) mapping[name] = null;
      else if (foreign) mapping[name] = { ...neutral(base, own), ...own };
    }
  return shared;
}

/** What takes back the keys of a shared entry that an entry does not have. */
function neutral(base: Draft, own: Draft): Draft {
  const none: Draft = { search: "none", required: false, onRequest: false };
  return Object.fromEntries(
    Object.keys(base).flatMap((key) => (Object.hasOwn(own, key) || !Object.hasOwn(none, key) ? [] : [[key, none[key]]])),
  );
}
