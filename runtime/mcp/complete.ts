import { fieldDocs } from "./describe.ts";
import type { ToolHost } from "./host.ts";

/** An argument of a prompt or of a template that a user types, and the other arguments that are known already. */
export interface Typed {
  readonly name: string;
  readonly value: string;
  readonly others: Readonly<Record<string, unknown>>;
}

/** The most values of one completion, as the protocol limits it. */
const most = 100;

/** The values that an argument may have and that begin with what was typed: connectors, entities and fields of the caller. */
export async function complete(host: ToolHost, { name, value, others }: Typed) {
  const found = [...new Set(await valuesOf(host, name, others))].sort();
  const values = found.filter((one) => one.toLowerCase().startsWith(value.toLowerCase()));
  return { completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most } };
}

async function valuesOf(host: ToolHost, name: string, { connector, entity }: Typed["others"]): Promise<readonly string[]> {
  const instances = await host.instances();
  if (name === "connector") return instances.map(({ id }) => id);
  if (name !== "entity" && name !== "field") return [];
  const used = instances.filter(({ id }) => connector === undefined || connector === "" || id === connector);
  const entities = (await Promise.all(used.map(({ manual }) => manual()))).flatMap(({ entities }) => entities);
  if (name === "entity") return entities.map((one) => one.name);
  return entities.filter((one) => one.name === entity).flatMap((one) => Object.keys(fieldDocs(one)));
}
