import { type Diagnostic, type Diagnostics, type Place, placeOf, type SourcePosition } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import { withoutFollowUps } from "./follow-ups.ts";
import { withoutRepeats } from "./repeats.ts";

/**
 * Leaves each fault once, at its cause. What follows from a file that cannot be read is dropped, and so is what looks unused because of
 * another fault. A fault of a shared field or parameter is reported where that is declared, and not at each use. A name that is unknown in
 * several places is reported for the first of them.
 *
 * @param spoiled entries with an invalid path: nobody knows what they read or send
 * @param oneEach whether a wrong type, page or value of an enum is reported once, and not for each field and action that it concerns
 */
export function settle(
  connector: LoadedConnector,
  diagnostics: Diagnostics,
  spoiled: readonly SourcePosition[],
  oneEach: boolean,
): void {
  const isSpoiled = new Set(spoiled.map(placeOf));
  diagnostics.rewrite((all) => {
    const known = all.filter(
      (one) => !followsFrom(connector.broken, one) && (one.code === "SPEC016" || !isSpoiled.has(placeOf(one))),
    );
    return withoutRepeats(atType(withoutFollowUps(known, connector), connector), known, connector, oneEach);
  });
}

/** Names that a file declares which could not be read are not unknown. */
function followsFrom(broken: readonly string[], { code, facts }: Diagnostic): boolean {
  if (code !== "SPEC003" || broken.length === 0) return false;
  if (facts?.lacks?.some(({ kind }) => kind === "type")) return true;
  const names = (facts?.lacks ?? []).map(({ name }) => name.split(".")[0] ?? "");
  return names.some((name) => broken.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
}

/**
 * A type of the platform that does not exist, at the `on` that names it, and not at each field that would be read from it. What else is
 * said of it follows from that, and for a record so does what else is said of names in its file.
 */
function atType(all: readonly Diagnostic[], { spec, source, entities }: LoadedConnector): readonly Diagnostic[] {
  const places = new Map<string, Place>();
  const files = new Map<string, string>();
  for (const { spec: one, source: from } of [{ spec: { types: spec.types }, source }, ...entities]) {
    for (const [name, { on }] of Object.entries(one.types ?? {}))
      if (on !== undefined) places.set(on, from.at(["types", name, "on"]));
    if (!("on" in one) || one.on === undefined) continue;
    places.set(one.on, from.at(["on"]));
    files.set(one.on, from.path);
  }
  const typesOf = (names: readonly { readonly kind: string; readonly name: string }[] = []) =>
    names.flatMap(({ kind, name }) => (kind === "platform type" ? name : []));
  const unknown = [...new Set(all.flatMap(({ facts }) => typesOf(facts?.loses)))].filter((type) => places.has(type));
  const follows = ({ file, code, facts }: Diagnostic) =>
    ["SPEC003", "SPEC006", "SPEC007", "SPEC012"].includes(code) &&
    unknown.some((type) => files.get(type) === file || typesOf(facts?.lacks).includes(type));
  return all.flatMap((one) => {
    const at = places.get(typesOf(one.facts?.loses)[0] ?? "");
    if (at !== undefined) return { ...one, ...at };
    return follows(one) ? [] : one;
  });
}
