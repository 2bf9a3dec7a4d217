import { nearest } from "../../runtime/base/nearest.ts";
import type { Diagnostic, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { Source } from "../load/source.ts";

/** A declaration that cannot be used: without what it needs, or with a type that does not exist. */
const unusable = /^(field|parameter) ".*" has no `(type|doc)`, and connector\.yaml has no shared|^unknown type "/;

/** Codes of faults that say that a name is missing. */
const missing: readonly string[] = ["SPEC003", "SPEC005", "SPEC015", "SPEC019"];

/**
 * Leaves out what follows from a field or a parameter that cannot be used: its name is then missing wherever it is used, and so is the name
 * that its own was meant to be. A field of which the platform has nothing may be misspelled too.
 */
export function withoutLost(all: readonly Diagnostic[], connector: LoadedConnector): readonly Diagnostic[] {
  const declared = declarations(connector);
  const causes = all.filter(({ message }) => unusable.test(message));
  const misspelled = all.filter(({ code }) => code === "SPEC007");
  const declaredAt = (faults: readonly Diagnostic[]) => faults.flatMap((one) => declared.get(placeOf(one)) ?? []);
  const lost = declaredAt(causes);
  const near = declaredAt(misspelled);
  if (lost.length === 0 && near.length === 0) return all;
  const speaksOf = (one: Diagnostic, names: readonly Declared[]) => {
    const kind = /parameter|variable|the path names/.test(one.message) ? "parameter" : "field";
    const ofKind = names.filter((name) => name.kind === kind).map(({ name }) => name);
    return namesIn(one).some((name) => isLost(name, ofKind));
  };
  const follows = (one: Diagnostic) =>
    ((missing.includes(one.code) || / does not have$/.test(one.message)) && speaksOf(one, lost)) ||
    (one.code === "SPEC003" && speaksOf(one, near));
  return all.filter((one) => causes.includes(one) || !follows(one));
}

interface Declared {
  readonly kind: "field" | "parameter";
  readonly name: string;
}

function isLost(name: string, lost: readonly string[]): boolean {
  return lost.some((one) => Math.abs(one.length - name.length) <= 2 && nearest(name, [one]) !== undefined);
}

/** The names that a fault speaks of: `"id"`, `"$id"`, `"{id}"`, and of `"issues.id"` each part. */
function namesIn({ message }: Diagnostic): string[] {
  return [...message.matchAll(/"[${]?([\w.]+)\}?"/g)].flatMap(([, path = ""]) => path.split("."));
}

export const placeOf = ({ file, line, column }: SourcePosition) => `${file}:${line}:${column}`;

/** Where fields and parameters are declared, and where their types are written, with their names. */
function declarations({ spec, source, entities }: LoadedConnector): ReadonlyMap<string, Declared> {
  const places = new Map<string, Declared>();
  const add = (from: Source, path: readonly string[], entries: Readonly<Record<string, object | null>> = {}) => {
    const kind = path.at(-1) === "params" ? "parameter" : "field";
    for (const [name, own] of Object.entries(entries)) {
      places.set(placeOf(from.at([...path, name])), { kind, name });
      if (own !== null && Object.hasOwn(own, "type")) places.set(placeOf(from.at([...path, name, "type"])), { kind, name });
    }
  };
  for (const [from, one] of [[source, spec] as const, ...entities.map((entity) => [entity.source, entity.spec] as const)]) {
    add(from, ["fields"], one.fields);
    for (const [type, { fields }] of Object.entries(one.types ?? {})) add(from, ["types", type, "fields"], fields);
  }
  add(source, ["params"], spec.params);
  for (const one of entities)
    for (const [action, { params }] of Object.entries(one.spec.actions)) add(one.source, ["actions", action, "params"], params);
  return places;
}
