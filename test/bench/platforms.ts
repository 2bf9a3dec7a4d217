import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { connectors } from "../../generated/index.ts";
import { initSpec } from "../../generator/init/init.ts";
import { isObject } from "../../runtime/base/is-object.ts";
import { simulated } from "../support/simulated.ts";
import { median, type Result, type Row, round, sum } from "./report.ts";

type Member = Readonly<Record<string, unknown>>;
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
    const kept = await draftedShare(name, files);
    if (kept !== undefined) row("values of the spec that spec init drafted", round(kept * 100, 0), "%");
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
    notes: `each connector on its simulated platform: a sync of the scopes that its spec has as examples, and ${searches} searches in turn over its entities; a value is one leaf of the YAML, its texts for readers and names of shared entries aside`,
    rows,
  };
}

function specOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".yaml") && !file.startsWith("description"));
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
}

/** The share of a spec's values that a draft from its description has at the same place. Undefined where the description is a package's. */
async function draftedShare(name: string, files: ReadonlyMap<string, string>): Promise<number | undefined> {
  const spec = mkdtempSync(join(tmpdir(), "tenon-bench-platforms-"));
  const { graphql, rest } = memberOf(parse(files.get("connector.yaml") ?? ""), "platform");
  const file = (api: unknown, key: string) => {
    const path = join("spec", name, String(isObject(api) ? api[key] : ""));
    return isObject(api) && existsSync(path) ? path : undefined;
  };
  try {
    const schema = file(graphql, "schema");
    const openApi = file(rest, "description");
    if (schema === undefined && (openApi === undefined || graphql !== undefined)) return undefined;
    await initSpec({ name, ...(schema === undefined ? { openApi } : { graphql: schema }), only: [], spec });
    const drafted = valuesOf(specOf(join(spec, name)));
    const own = valuesOf(files);
    return own.filter((value) => new Set(drafted).has(value)).length / own.length;
  } finally {
    rmSync(spec, { recursive: true, force: true });
  }
}

/** The leaves of a spec with their places, each entry with what it takes from the shared entry of its name. */
function valuesOf(files: ReadonlyMap<string, string>): string[] {
  const shared: unknown = parse(files.get("connector.yaml") ?? "");
  const spelled = (own: unknown, all: Member) =>
    Object.fromEntries(
      Object.entries(isObject(own) ? own : {}).map(([key, one]) => [key, { ...memberOf(all, key), ...memberOf({ one }, "one") }]),
    );
  return [...files].flatMap(([file, text]) => {
    const { fields, params, doc: _doc, ...entity } = memberOf({ one: parse(text) as unknown }, "one");
    // Shared entries count where they are used.
    if (file === "connector.yaml") return leaves(entity, file);
    const actions = Object.entries(memberOf(entity, "actions")).map(([key, action]) => [
      key,
      {
        ...memberOf({ action }, "action"),
        params: spelled(memberOf({ action }, "action")["params"], memberOf(shared, "params")),
      },
    ]);
    return leaves({ ...entity, fields: spelled(fields, memberOf(shared, "fields")), actions: Object.fromEntries(actions) }, file);
  });
}

function memberOf(value: unknown, key: string): Member {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : {};
}

function leaves(value: unknown, place: string): string[] {
  if (isObject(value))
    return Object.entries(value).flatMap(([key, one]) =>
      ["doc", "title", "example"].includes(key) ? [] : leaves(one, `${place} ${key}`),
    );
  return [`${place} ${JSON.stringify(value)}`];
}
