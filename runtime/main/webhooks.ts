import type { HintStore } from "../accounts/index.ts";
import type { ToldScopes } from "../sync/index.ts";

/** The secrets of webhooks by the id of the connector instance. @param given each `<id>=<secret>` */
export function secretsByInstance(given: readonly string[]): Map<string, string[]> {
  const secrets = new Map<string, string[]>();
  for (const one of given) {
    const at = one.indexOf("=");
    const id = one.slice(0, at);
    secrets.set(id, [...(secrets.get(id) ?? []), one.slice(at + 1)]);
  }
  return secrets;
}

/** The scopes of which webhooks come in. @param minutes between two syncs of such a scope */
export function toldScopes(store: HintStore, minutes: number): ToldScopes {
  return { minutes, since: async (id, time) => (await store.toldScopes(id, time)).map(({ scope }) => scope) };
}
