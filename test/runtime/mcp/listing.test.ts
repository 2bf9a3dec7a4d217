import { expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { manualOf } from "../../../runtime/manual/manual.ts";
import type { ToolHost } from "../../../runtime/mcp/host.ts";
import { listing } from "../../../runtime/mcp/listing.ts";

const host = (writes: boolean): ToolHost => ({
  writes,
  instances: async () => [],
  execute: () => Promise.reject(new Error()),
  changes: () => Promise.reject(new Error()),
  watch: () => Promise.reject(new Error()),
});
const instance = (id: string) => ({ id, manual: () => manualOf(github), page: async () => undefined });
/** The lists of entities themselves, which are the same objects where nothing was made again. */
const entities = ({ content }: Awaited<ReturnType<typeof listing>>) =>
  (content()["connectors"] as { readonly entities: unknown }[]).map((one) => one.entities);

it("the entities of a connector are cleaned and serialized once, for hosts with writes and for others", async () => {
  const first = await listing([instance("a"), instance("b")], host(true));
  const later = await listing([instance("c\u200B")], host(true));
  const reading = await listing([instance("a")], host(false));
  const [own] = entities(first);
  expect(new Set([...entities(first), ...entities(later)])).toEqual(new Set([own]));
  expect(entities(later)[0]).toBe(own);
  expect(entities(reading)[0]).not.toEqual(own);
  for (const { text, content } of [first, later, reading]) expect(text).toBe(JSON.stringify(content()));
  expect(later.text).toMatch(/^{"connectors":\[{"id":"c","title":"GitHub","entities":\[/);
});
