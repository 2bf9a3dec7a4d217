import { Results } from "../cache/results.ts";
import { type Diagnostic, Diagnostics } from "../diagnostic/diagnostic.ts";
import { connectorModel, type SpecFolder } from "../model/connector.ts";
import { type Draft, type DraftConnector, todo } from "./draft.ts";
import { exampleCall } from "./example.ts";
import { placesIn } from "./yaml-place.ts";
import { yamlText } from "./yaml-text.ts";

/** Rounds after which what is left wrong stays: each takes out what the last one found. */
const mostRounds = 40;

export interface Repaired {
  /** The files, by their name. */
  readonly files: ReadonlyMap<string, string>;
  /** What was taken out because it would not generate, in words. */
  readonly left: readonly string[];
  /** What is still wrong. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Takes out of a draft what the generator refuses, because the description contradicts itself or the language cannot say it, until nothing
 * is refused. What was taken out is named, so that the author can put it back in another form.
 *
 * @param read gives the description that the draft names
 */
export function repaired(name: string, draft: DraftConnector, read: SpecFolder["read"]): Repaired {
  // A list that is to be paged somehow is checked as one without pages. It must not generate until the author has said how.
  const unpaged = new Set(
    [...draft.entities.values()].flatMap(({ actions }) =>
      (Object.values((actions ?? {}) as Draft) as Draft[]).filter((action) => action["page"] === todo),
    ),
  );
  for (const list of unpaged) list["page"] = "single";
  const result = repairedLists(name, draft, read, unpaged);
  for (const list of unpaged) list["page"] = todo;
  if (unpaged.size === 0 && result.diagnostics.length === 0) return result;
  const files = filesOf(draft);
  return { ...result, files, diagnostics: checked(name, files, read, new Results(), "causes") };
}

/** @param say what is wrong at every place, to be taken out there, or each cause once, as an author sees it */
function checked(
  name: string,
  files: ReadonlyMap<string, string>,
  read: SpecFolder["read"],
  results: Results,
  say: "places" | "causes" = "places",
): Diagnostic[] {
  const folder: SpecFolder = {
    path: `spec/${name}`,
    files: [...files].map(([file, text]) => ({ path: `spec/${name}/${file}`, text })),
    read,
    module: () => undefined,
  };
  const diagnostics = new Diagnostics();
  // What is taken out is what is wrong, and not the shared entry that it comes from.
  connectorModel(folder, diagnostics, results, "stops", say);
  return diagnostics.sorted();
}

/** @param unpaged gets the lists whose paging cannot be said in the way that was drafted */
function repairedLists(name: string, draft: DraftConnector, read: SpecFolder["read"], unpaged: Set<Draft>): Repaired {
  const left: string[] = [];
  const results = new Results();
  for (let round = 0; ; round++) {
    const files = filesOf(draft);
    const found = checked(name, files, read, results);
    if (found.length === 0 || round === mostRounds) return { files, left, diagnostics: found };
    const places = new Map([...files].map(([file, text]) => [file, placesIn(text)]));
    // Only the author knows how a list is paged. Without its list, the draft would have less than the platform gives, and not say so.
    const taken = found.flatMap((one) => {
      const file = one.file.split("/").at(-1) ?? "";
      const entry = one.code === "SPEC020" ? undefined : takeOut(file, places.get(file)?.(one) ?? [], draft, unpaged);
      return entry === undefined ? [] : [{ ...one, entry }];
    });
    // Types that nothing uses can go. No line is reported: its text is never shown.
    for (const { code, message, entry } of taken) if (code !== "SPEC005") left.push(`${entry}: ${message}`);
    if (taken.length === 0) return { files, left, diagnostics: found };
  }
}

function filesOf({ connector, entities }: DraftConnector): Map<string, string> {
  const filled = Object.fromEntries(
    Object.entries(connector).filter(([, value]) => typeof value !== "object" || value === null || Object.keys(value).length > 0),
  );
  return new Map([
    ["connector.yaml", yamlText(filled)],
    ...[...entities].map(([name, entity]) => [`${name}.yaml`, yamlText(entity)] as const),
  ]);
}

/** Parts without which a connector is none. Whatever is wrong in them is reported, and left to the author. */
const neededParts = ["connector", "title", "doc", "platform"];

/** Takes out the entry that a diagnostic is about. @returns its file and keys ("notes.yaml actions.get"), undefined without one */
function takeOut(name: string, path: readonly string[], draft: DraftConnector, unpaged: Set<Draft>): string | undefined {
  const isConnector = name === "connector.yaml";
  const target = isConnector ? draft.connector : draft.entities.get(name.replace(/\.yaml$/, ""));
  const [first = "", second = "", third = "", fourth] = path;
  if (target === undefined || first === "" || (isConnector && neededParts.includes(first))) return undefined;
  if (isConnector && first === "example") return otherExample(draft);
  // Without a record, a key or any fields there is no entity.
  if (!isConnector && path.length === 1 && first !== "sync") return withoutEntity(name.replace(/\.yaml$/, ""), draft);
  // The list cannot be read for a scope alone, because it needs other parameters too.
  if (first === "sync") {
    delete target["sync"];
    return `${name} sync`;
  }
  // A wrong parameter is taken out alone. Without its list, an entity would have nothing to read.
  const ofParam = third === "params" && fourth !== undefined;
  const keys = ofParam ? [first, second, third, fourth] : path.slice(0, second === "list" || third === "page" ? 3 : 2);
  let holder: Draft = target;
  for (const key of keys.slice(0, -1)) {
    const inner = holder[key];
    if (typeof inner !== "object" || inner === null) return undefined;
    holder = inner as Draft;
  }
  const last = keys.at(-1) ?? "";
  if (!Object.hasOwn(holder, last)) return undefined;
  // A list without its pages would be read as if the first one were all.
  if (third === "page" && holder["page"] !== "single") {
    holder["page"] = "single";
    unpaged.add(holder);
  } else if (last === "params") {
    // A list that needs what no param can be would be refused again each time.
    if (Object.keys(holder["params"] as Draft).length === 0) return withoutEntity(name.replace(/\.yaml$/, ""), draft);
    holder["params"] = {};
  } else delete holder[last];
  return `${name} ${keys.join(".")}`;
}

/** Makes the example the next call of an entity that is left, after the call that it is. */
function otherExample(draft: DraftConnector): string | undefined {
  const calls = [...draft.entities].flatMap(([entity, { actions }]) =>
    Object.keys((actions ?? {}) as Draft).map((action) => exampleCall(draft, entity, action)),
  );
  const { connector } = draft;
  const known = calls.findIndex((call) => JSON.stringify(call) === JSON.stringify(connector["example"]));
  const other = calls[known + 1];
  if (other === undefined) return undefined;
  connector["example"] = other;
  return "connector.yaml example";
}

/** Takes an entity out; if the connector's example is one of its calls, it becomes one of another entity. */
function withoutEntity(entity: string, draft: DraftConnector): string | undefined {
  const { connector, entities } = draft;
  if (!entities.delete(entity)) return undefined;
  const example = connector["example"] as Draft | undefined;
  const [other] = entities.keys();
  if (example?.["entity"] === entity && other !== undefined) connector["example"] = exampleCall(draft, other, "list");
  return `${entity}.yaml`;
}
