import { nearest } from "../../runtime/base/nearest.ts";
import { anyName, type Diagnostic, type DiagnosticCode, type Named, placeOf } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { Source } from "../load/source.ts";

// Which faults follow from others, by the names that they lack and lose.

/**
 * Leaves out what follows from another fault: a name that is missing because its declaration cannot be used, what looks unused because
 * its name is misspelled elsewhere, and what an action with an unknown parameter cannot give.
 */
export function withoutFollowUps(all: readonly Diagnostic[], connector: LoadedConnector): readonly Diagnostic[] {
  const declared = declarations(connector);
  const isMissing = missingIn(all, connector, declared);
  const isUnused = unusedIn(all, connector, declared);
  return all.filter((one) => !isMissing(one) && !isUnused(one));
}

type Declarations = ReadonlyMap<string, Named>;

/** Whether two faults have a file in common: that of their place, or of what the place has from elsewhere. */
function areOfOneFile(one: Diagnostic, other: Diagnostic): boolean {
  const files = [other.file, other.origin?.file];
  return files.includes(one.file) || (one.origin !== undefined && files.includes(one.origin.file));
}

const lacked = ({ facts }: Diagnostic): readonly Named[] => facts?.lacks ?? [];

/** Whether a fault says only that a name is missing, which another one explains. */
function missingIn(
  all: readonly Diagnostic[],
  { entities }: LoadedConnector,
  declared: Declarations,
): (one: Diagnostic) => boolean {
  const lost = all.flatMap((one) => {
    // What the platform does not have may be a misspelled name of the spec.
    const own = one.facts?.unusable === true || one.code === "SPEC007" ? declared.get(placeOf(one)) : undefined;
    return [...(one.facts?.loses ?? []), ...(own === undefined ? [] : [own])].map((name) => ({ name, by: one }));
  });
  const unbound = new Set(all.filter(({ facts }) => facts?.unbound).map(({ file }) => file));
  const callers = entities.filter(({ source }) => unbound.has(source.path)).map(({ spec }) => spec.entity);
  return (one) => {
    const names = lacked(one);
    // Of faults that lack the same name, none explains another.
    const isLost = (name: Named) =>
      lost.some(
        ({ name: gone, by }) =>
          by !== one &&
          !lacked(by).some((other) => other.kind === name.kind && other.name === name.name) &&
          explains(gone, name, areOfOneFile(by, one)),
      );
    return (
      (names.some(({ of }) => of !== undefined && callers.includes(of)) && one.facts?.unbound === undefined) || names.some(isLost)
    );
  };
}

/** Whether a name that is lost is one that is missing. A field or parameter may be lost because its own name is misspelled. */
function explains(lost: Named, { kind, name }: Named, isSameFile: boolean): boolean {
  if (lost.kind !== kind || name === anyName) return false;
  if (kind === "path") return name.includes(lost.name);
  if (kind !== "field" && kind !== "parameter")
    return [name, anyName].includes(lost.name) && (isSameFile || (kind !== "value" && kind !== "presence"));
  const isNear = (part: string) => Math.abs(lost.name.length - part.length) <= 2 && nearest(part, [lost.name]) !== undefined;
  return name.split(".").some(isNear);
}

/** Codes of faults that may be a name which is spelled wrongly, or one that is missing. */
const misspelled: readonly DiagnosticCode[] = ["SPEC003", "SPEC006", "SPEC007", "SPEC012", "SPEC014", "SPEC015"];

/** Kinds of names that a single action or the platform's addresses use. Others may be used anywhere. */
const own: readonly Named["kind"][] = ["parameter", "variable"];

/** Whether a name looks unused because of another fault. */
function unusedIn(
  all: readonly Diagnostic[],
  { source, spec }: LoadedConnector,
  declared: Declarations,
): (one: Diagnostic) => boolean {
  const lacksSync = (one: Diagnostic) => one.code === "SPEC019" && lacked(one).some(({ kind }) => kind === "scope");
  const isWrong = all.some(({ code }) => misspelled.includes(code) || code === "SPEC016");
  // A type that nothing but an unused entry has is used once that is.
  const isOfUnused = (type: string) =>
    all.some(({ facts }) => {
      const { kind, name = "" } = facts?.unused ?? {};
      const entry = kind === "shared field" ? spec.fields?.[name] : kind === "shared parameter" ? spec.params?.[name] : undefined;
      return typeof entry?.type === "string" && new RegExp(`\\b${type}\\b`).test(entry.type);
    });
  return (one) => {
    const { unused } = one.facts ?? {};
    if (unused === undefined) return false;
    const others = all.filter((other) => other !== one && other.facts?.unused === undefined);
    const isOther = ({ kind, name }: Named) => kind === unused.kind && name === unused.name;
    const isAt = (other: Diagnostic) => [declared.get(placeOf(other))].some((name) => name !== undefined && isOther(name));
    if (unused.kind === "action") return all.some(lacksSync);
    if (unused.kind === "type" && isOfUnused(unused.name)) return true;
    // A field that something names may be the one.
    if (unused.kind === "field")
      return others.some((other) => other.file === one.file && lacked(other).some(({ kind }) => kind === "field"));
    if (own.includes(unused.kind))
      return others.some((other) => misspelled.includes(other.code) && (other.file === one.file || isAt(other)));
    // What is declared for one entity may be used by what is wrong there.
    return isWrong || (one.file !== source.path && others.some(({ file }) => file === one.file));
  };
}

/** The fields and parameters by the places of their entries and of the keys in these. */
function declarations({ spec, source, entities }: LoadedConnector): Declarations {
  const places = new Map<string, Named>();
  const add = (
    from: Source,
    kind: "field" | "parameter",
    path: readonly string[],
    entries: Readonly<Record<string, object | null>> = {},
  ) => {
    for (const [name, entry] of Object.entries(entries))
      for (const keys of [[], ...Object.keys(entry ?? {}).map((key) => [key])])
        places.set(placeOf(from.at([...path, name, ...keys])), { kind, name });
  };
  for (const [from, one] of [[source, spec] as const, ...entities.map((entity) => [entity.source, entity.spec] as const)]) {
    add(from, "field", ["fields"], one.fields);
    for (const [type, { fields }] of Object.entries(one.types ?? {})) add(from, "field", ["types", type, "fields"], fields);
  }
  add(source, "parameter", ["params"], spec.params);
  for (const one of entities)
    for (const [action, { params }] of Object.entries(one.spec.actions))
      add(one.source, "parameter", ["actions", action, "params"], params);
  return places;
}
