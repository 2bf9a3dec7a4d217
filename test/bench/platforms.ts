import { join } from "node:path";
import { connectors } from "../../generated/index.ts";
import { simulated } from "../support/simulated.ts";
import { draftedShare, specOf } from "./drafted-share.ts";
import { median, type Result, type Row, round, sum } from "./report.ts";

const searches = 200;

/**
 * Every connector: the size of its spec, how much of it `spec init` drafts from its description, and a sync and searches against its
 * simulated platform, which runs on the same machine without the platform's pace.
 */
export async function benchPlatforms(): Promise<Result> {
  const rows: Row[] = [];
  for (const connector of connectors) {
    const { name } = connector;
    const files = specOf(join("spec", name));
    const row = (what: string, value: number, unit = "") => rows.push({ what: `${name}: ${what}`, value, unit });
    row("lines of YAML", sum([...files.values()].map((text) => text.trimEnd().split("\n").length)));
    row("entities", Object.keys(connector.entities).length);
    const drafted = await draftedShare(name);
    if (drafted !== undefined) {
      row("values of the spec that spec init drafted", round((drafted.kept / drafted.values) * 100, 0), "%");
      row("processor time of the draft", round(drafted.took / 1000, 1), "s");
    }
    const platform = await simulated(connector);
    try {
      const started = performance.now();
      const { entities } = await platform.syncExamples();
      const seconds = (performance.now() - started) / 1000;
      const records = sum(entities.map((one) => one.inserted));
      row("records in a first sync", records);
      row("first sync", round(records / seconds, 0), "records/s");
      const synced = [...new Set(entities.map(({ entity }) => entity))];
      const times: number[] = [];
      for (let run = 0; run < searches; run++) {
        const entity = synced[run % synced.length] ?? "";
        const asked = performance.now();
        await platform.run({ entity, action: "context_store_search", params: { query: {}, limit: 10 } });
        times.push(performance.now() - asked);
      }
      row("cached search, p50", round(median(times), 2), "ms");
    } finally {
      await platform.close();
    }
  }
  return {
    name: "platforms",
    notes: `each connector on its simulated platform: a sync of the scopes that its spec has as examples, and ${searches} searches in turn over its entities; a value is one leaf of the YAML, its texts for readers and names of shared entries aside; a draft is asked for the entities of the spec, each with the call of its list`,
    rows,
  };
}
