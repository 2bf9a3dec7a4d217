import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectors } from "../../generated/index.ts";
import { type Simulated, simulated } from "../support/simulated.ts";

const generated = join(import.meta.dirname, "../../generated");

/** Every request that the pages of a connector show, by the page and its action. */
function shownBy(connector: string) {
  const folder = join(generated, connector, "reference");
  return readdirSync(folder).flatMap((page) =>
    [...readFileSync(join(folder, page), "utf8").matchAll(/```json\n([\s\S]*?)```/g)].map((match) => {
      const request = JSON.parse(match[1] ?? "") as { entity: string; action: string };
      return [`${page} ${request.action}`, request] as const;
    }),
  );
}

describe.each(connectors.map((connector) => [connector.name, connector] as const))("the reference of %s", (name, connector) => {
  const shown = shownBy(name);
  const synced = Object.entries(connector.entities).flatMap(([entity, { sync }]) => (sync.length === 0 ? [] : [entity]));
  let platform: Simulated;
  beforeAll(async () => {
    platform = await simulated(connector);
    expect((await platform.syncExamples()).outcome).toBe("complete");
  });
  afterAll(() => platform.close());

  it("shows a search for every entity that a sync fills", () => {
    const searches = shown.filter(([, { action }]) => action === "context_store_search");
    expect(searches.map(([, { entity }]) => entity).sort()).toEqual(synced.sort());
  });

  it("shows a request for every action", () => {
    const actions = Object.values(connector.entities).flatMap((entity) => Object.keys(entity.actions));
    expect(shown.length).toBe(actions.length + synced.length);
  });

  it.each(shown)("%s: the request shown works, and finds something", async (_name, request) => {
    const { data } = await platform.run(request);
    expect(Array.isArray(data) ? data.length : 1).toBeGreaterThan(0);
  });
});
