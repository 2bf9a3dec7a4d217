import type { Diagnostic, Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";

type Uses = Map<string, { readonly kind: "fields" | "params"; readonly name: string; readonly isPlain: boolean }>;

/**
 * Leaves each fault once, at its cause. What follows from a file that cannot be read is dropped, and so is what looks unused because of
 * another fault. A fault of a shared field or parameter is reported where that is declared, and not at each use. A name that is unknown in
 * several places is reported for the first of them.
 *
 * @param spoiled entries with an invalid path: nobody knows what they read or send
 */
export function settle(connector: LoadedConnector, diagnostics: Diagnostics, spoiled: readonly SourcePosition[] = []): void {
  const isSpoiled = new Set(spoiled.map(placeOf));
  diagnostics.rewrite((all) => {
    const paths = all.flatMap(({ message }) => /^("\S*") (has (an empty part|brackets)|begins or ends)/.exec(message)?.[1] ?? []);
    const known = all.filter(
      (one) =>
        !followsFrom(connector.broken, one) &&
        (one.code === "SPEC016" || !isSpoiled.has(placeOf(one))) &&
        (one.code === "SPEC016" || !paths.some((path) => one.message.includes(path))),
    );
    const others = known.filter(({ code }) => misspelled.includes(code));
    const isFollowUp = (one: Diagnostic) => {
      const kind = unusedOf(one);
      return kind === "own" ? others.some(({ file }) => file === one.file) : kind === "named" && others.length > 0;
    };
    return firstOf(
      atShared(
        known.filter((one) => !isFollowUp(one)),
        connector,
      ),
    );
  });
}

/** Names that a file declares which could not be read are not unknown. */
function followsFrom(broken: readonly string[], { code, message }: Diagnostic): boolean {
  if (code !== "SPEC003" || broken.length === 0) return false;
  const name = /"([\w.]+)"/.exec(message)?.[1]?.split(".")[0];
  return name !== undefined && broken.some((text) => new RegExp(`\\b${name}\\b`).test(text));
}

/** A name that nothing declares, wherever it is used. */
const undeclared = /^unknown (type|scope|entity|error code) |, and connector\.yaml has no shared (field|parameter) of this name$/;

/** Of faults that say the same of one place, or of one name, the first. */
function firstOf(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const places = new Map<string, number>();
  const keyOf = (one: Diagnostic) =>
    undeclared.test(one.message) ? `${one.code}\n${one.message}` : `${one.code}\n${saidOf(one)}\n${placeOf(one)}`;
  for (const one of all) places.set(keyOf(one), (places.get(keyOf(one)) ?? 0) + 1);
  const seen = new Set<string>();
  return all.flatMap((one) => {
    const key = keyOf(one);
    if (seen.has(key)) return [];
    seen.add(key);
    const others = (places.get(key) ?? 1) - 1;
    if (others === 0 || !undeclared.test(one.message)) return one;
    const more = `and in ${others} other ${others === 1 ? "place" : "places"}`;
    return { ...one, hint: one.hint === undefined ? more : `${one.hint}; ${more}` };
  });
}

/** What a fault says, without the call and the type that it names. */
function saidOf({ message }: Diagnostic): string {
  return message.replace(/ of [A-Z]\w*|(GET|POST|PUT|PATCH|DELETE) \S+|\w+\.\w+/g, "");
}

/** Codes of faults that may be a name which is spelled wrongly. */
const misspelled: readonly string[] = ["SPEC003", "SPEC006", "SPEC007", "SPEC012", "SPEC014", "SPEC015"];

/** What looks unused where its name is misspelled in another place: of the same action, or anywhere. */
function unusedOf({ code, message }: Diagnostic): "own" | "named" | undefined {
  if (code !== "SPEC005") return undefined;
  if (/^(parameter|variable) "\w+" is never used$/.test(message)) return "own";
  return /^(type|enum|scope|shared (field|parameter)) "\w+" is never used$/.test(message) ? "named" : undefined;
}

function atShared(all: readonly Diagnostic[], connector: LoadedConnector): readonly Diagnostic[] {
  const uses = plainUses(connector);
  const counts = new Map<string, number>();
  for (const { kind, name, isPlain } of uses.values())
    if (isPlain) counts.set(`${kind}.${name}`, (counts.get(`${kind}.${name}`) ?? 0) + 1);
  const groups = new Map<string, Diagnostic[]>();
  for (const one of all) {
    const use = uses.get(placeOf(one));
    if (use === undefined) continue;
    const key = [use.kind, use.name, one.code, saidOf(one)].join("\n");
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const moved = new Map<Diagnostic, Diagnostic | undefined>();
  for (const [key, found] of groups) {
    const [kind = "", name = ""] = key.split("\n");
    // A use that changes the shared entry may have the fault from there too. It is one of this entry only if most plain uses have it.
    const places = new Set(found.map(placeOf).filter((place) => uses.get(place)?.isPlain)).size;
    const [first] = found;
    if (first === undefined || places < 2 || places * 2 < (counts.get(`${kind}.${name}`) ?? 0)) continue;
    for (const one of found) moved.set(one, undefined);
    moved.set(first, { ...first, ...connector.source.at([kind, name]) });
  }
  return all.flatMap((one) => (moved.has(one) ? (moved.get(one) ?? []) : one));
}

const placeOf = ({ file, line, column }: Pick<Diagnostic, "file" | "line" | "column">) => `${file}:${line}:${column}`;

/** Where entities use shared fields and parameters without a change that could be wrong. */
function plainUses({ spec, entities }: LoadedConnector): Uses {
  const uses: Uses = new Map();
  const add = (kind: "fields" | "params", name: string, own: object | null, place: string) => {
    const isShared = Object.hasOwn(spec[kind] ?? {}, name);
    const isPlain = Object.keys(own ?? {}).every((key) => ["doc", "example", "required"].includes(key));
    if (isShared) uses.set(place, { kind, name, isPlain });
  };
  for (const { spec: entity, source } of entities) {
    for (const [name, own] of Object.entries(entity.fields ?? {})) add("fields", name, own, placeOf(source.at(["fields", name])));
    for (const [action, { params }] of Object.entries(entity.actions))
      for (const [name, own] of Object.entries(params))
        add("params", name, own, placeOf(source.at(["actions", action, "params", name])));
  }
  return uses;
}
