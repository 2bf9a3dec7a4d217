import type { Manual } from "../manual/manual.ts";
import { clean } from "./clean.ts";
import type { ToolHost, ToolInstance } from "./host.ts";
import { resultOf, type ToolResult } from "./result.ts";
import { offered } from "./target.ts";

/** The entities of a manual, of which many responses are made. */
interface Part {
  readonly title: string;
  readonly entities: unknown;
  /** The entities as JSON. */
  readonly json: string;
}

/** The parts for hosts with writes, and for those without. Both end with their manuals. */
const parts = { writing: new WeakMap<Manual, Part>(), reading: new WeakMap<Manual, Part>() };

/** What `list_entities` gives: the entities of each connector with the actions that the caller may ask for. */
export async function listing(instances: readonly ToolInstance[], host: ToolHost): Promise<ToolResult> {
  const listed = instances.map(async ({ id, simulated, manual }) => {
    const { title, entities, json } = partOf(await manual(), host);
    const head = resultOf({ id, title, ...(simulated === undefined ? {} : { simulated }) });
    return { text: `${head.text.slice(0, -1)},"entities":${json}}`, content: () => ({ ...head.content(), entities }) };
  });
  const connectors = await Promise.all(listed);
  return {
    text: `{"connectors":[${connectors.map(({ text }) => text).join(",")}]}`,
    content: () => ({ connectors: connectors.map(({ content }) => content()) }),
  };
}

function partOf(manual: Manual, host: ToolHost): Part {
  const made = host.writes ? parts.writing : parts.reading;
  const known = made.get(manual);
  if (known !== undefined) return known;
  const entities = clean(manual.entities.map((one) => ({ name: one.name, doc: one.doc, actions: offered(one, host) })));
  const part = { title: manual.title, entities, json: JSON.stringify(entities) };
  made.set(manual, part);
  return part;
}
