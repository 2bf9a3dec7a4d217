import { type Draft, type DraftConnector, exampleOf } from "./draft.ts";

/** A call of an action, with a value for each param that it requires. */
export function exampleCall(
  { connector, entities }: Pick<DraftConnector, "connector" | "entities">,
  entity: string,
  action: string,
): Draft {
  const own = entities.get(entity) ?? {};
  const enums = { ...(connector["enums"] as Draft | undefined), ...(own["enums"] as Draft | undefined) };
  const shared = (connector["params"] ?? {}) as Draft;
  const { params = {} } = ((own["actions"] ?? {}) as Readonly<Record<string, { readonly params?: Draft }>>)[action] ?? {};
  const needed = Object.entries(params).flatMap(([name, entry]) => {
    const whole: Draft = { ...(shared[name] as Draft | undefined), ...(entry as Draft | null) };
    return whole["required"] === true ? [[name, exampleOf(whole, enums)] as const] : [];
  });
  return { entity, action, params: Object.fromEntries(needed) };
}
