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
