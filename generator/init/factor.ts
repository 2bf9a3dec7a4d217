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
      if (JSON.stringify(own) === JSON.stringify(base)) mapping[name] = null;
      // Keys that only the shared entry has would be taken over.
      else mapping[name] = { ...neutral(base, own), ...own };
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

/**
 * Moves each type and enumeration that only one entity uses into its file.
 *
 * @param shared what the connector shares, which may use types too
 * @returns those that stay in `connector.yaml`
 */
export function withOwnTypes(
  entities: ReadonlyMap<string, Draft>,
  { types, enums }: { readonly types: Draft; readonly enums: Draft },
  shared: { readonly fields: Draft; readonly params: Draft },
): { readonly types: Draft; readonly enums: Draft } {
  const users = new Map<string, Set<string>>();
  const visit = (value: unknown, user: string) => {
    const words = new Set(JSON.stringify(value).match(/[A-Z]\w*/g) ?? []);
    for (const name of words) {
      if (!Object.hasOwn(types, name) && !Object.hasOwn(enums, name)) continue;
      const known = users.get(name) ?? new Set();
      users.set(name, known);
      if (known.has(user)) continue;
      known.add(user);
      if (Object.hasOwn(types, name)) visit((types[name] as Draft)["fields"], user);
    }
  };
  const references = (entity: Draft) => [entity["fields"], entity["actions"]];
  for (const [name, entity] of entities) visit(references(entity), name);
  visit([shared.fields, shared.params], "");
  const rest = { types: {} as Draft, enums: {} as Draft };
  for (const kind of ["types", "enums"] as const)
    for (const [name, value] of Object.entries({ types, enums }[kind])) {
      const [only, ...more] = users.get(name) ?? [];
      const entity = more.length === 0 && only !== undefined ? entities.get(only) : undefined;
      if (entity === undefined) rest[kind][name] = value;
      else entity[kind] = { ...((entity[kind] ?? {}) as Draft), [name]: value };
    }
  return rest;
}
