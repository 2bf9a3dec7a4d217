import type { Diagnostic, Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import { placeOf, withoutLost } from "./lost-names.ts";

type Uses = Map<string, { readonly kind: "fields" | "params"; readonly name: string; readonly isPlain: boolean }>;

/**
 * Leaves each fault once, at its cause. What follows from a file that cannot be read is dropped, and so is what looks unused because of
 * another fault. A fault of a shared field or parameter is reported where that is declared, and not at each use. A name that is unknown in
 * several places is reported for the first of them.
 *
 * @param spoiled entries with an invalid path: nobody knows what they read or send
 * @param oneEach whether a value of an enum that the platform does not have is reported once, and not for each use of the enum
 */
export function settle(
  connector: LoadedConnector,
  diagnostics: Diagnostics,
  spoiled: readonly SourcePosition[],
  oneEach: boolean,
): void {
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
    const unused = known.filter(({ code }) => !misspelled.includes(code) && code !== "SPEC016");
    const isFollowUp = (one: Diagnostic) => {
      const kind = unusedOf(one);
      // What is declared for one entity may be used by what is wrong there.
      if (
        kind === "named" &&
        one.file !== connector.source.path &&
        known.some((other) => other.file === one.file && unusedOf(other) === undefined)
      )
        return true;
      return kind === "own" ? others.some(({ file }) => file === one.file) : kind === "named" && unused.length < known.length;
    };
    const causes = withoutBound(withoutLost(known, connector), connector).filter((one) => !isFollowUp(one));
    return firstOf(atShared(atType(causes, connector), connector), oneEach);
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

/** A field that a record does not have, wherever it is used. */
const unknownField = /has no field ("[\w.]+")$|("[\w.]+") is not a field of /;

/** A value of an enum that the platform neither gives nor takes. */
const strangeValue = / (?:is never|can be) (.+?)(?: on the platform, although|, which the (?:call|platform) does not take)/;

/** The name that nothing declares, of a fault that says so. */
function unknownName({ code, message, hint = "" }: Diagnostic): string | undefined {
  if (/^no scope of the event fills /.test(message)) return `no scope of the event: ${hint}`;
  if (undeclared.test(message)) return message.replace(/`(type|doc)`/, "");
  const [, one, other] = (code === "SPEC003" ? unknownField.exec(message) : undefined) ?? [];
  return one ?? other;
}

/** Of faults that say the same of one place, or of one name, the first. */
function firstOf(all: readonly Diagnostic[], oneEach: boolean): readonly Diagnostic[] {
  const places = new Map<string, number>();
  const keyOf = (one: Diagnostic) => {
    const unknown = unknownName(one);
    const [, value] = (oneEach ? strangeValue.exec(one.message) : undefined) ?? [];
    if (value !== undefined) return `value ${value}`;
    return unknown === undefined ? `${one.code}\n${saidOf(one)}\n${placeOf(one)}` : `${one.code}\n${unknown}`;
  };
  for (const one of all) places.set(keyOf(one), (places.get(keyOf(one)) ?? 0) + 1);
  const seen = new Set<string>();
  return all.flatMap((one) => {
    const key = keyOf(one);
    if (seen.has(key)) return [];
    seen.add(key);
    const others = (places.get(key) ?? 1) - 1;
    if (others === 0 || unknownName(one) === undefined) return one;
    const more = `and in ${others} other ${others === 1 ? "place" : "places"}`;
    return { ...one, hint: one.hint === undefined ? more : `${one.hint}; ${more}` };
  });
}

/** What a fault says, without the call, the type and the part of the call that it names. */
function saidOf({ message }: Diagnostic): string {
  return message
    .replace(/^the call takes no query parameter|^the call's body has no|^[A-Z]\w* has no field/, "the call has no")
    .replace(/(GET|POST|PUT|PATCH|DELETE) \S+/g, "")
    .replace(/ of [A-Z]\w*|\w+\.\w+/g, "");
}

/**
 * A type of the platform that does not exist, at the `on` that names it, and not at each field that would be read from it. What else is
 * said of it follows from that, and for a record so does what else is said of names in its file.
 */
function atType(all: readonly Diagnostic[], { spec, source, entities }: LoadedConnector): readonly Diagnostic[] {
  const places = new Map<string, SourcePosition>();
  const files = new Map<string, string>();
  for (const { spec: one, source: from } of [{ spec: { types: spec.types }, source }, ...entities]) {
    for (const [name, { on }] of Object.entries(one.types ?? {}))
      if (on !== undefined) places.set(on, from.at(["types", name, "on"]));
    if (!("on" in one) || one.on === undefined) continue;
    places.set(one.on, from.at(["on"]));
    files.set(one.on, from.path);
  }
  const typeOf = ({ message }: Diagnostic) => /^the platform has no object type "(.*)"$/.exec(message)?.[1] ?? "";
  const unknown = [...new Set(all.map(typeOf))].filter((type) => places.has(type));
  const follows = ({ file, code, message }: Diagnostic) =>
    ["SPEC003", "SPEC006", "SPEC007", "SPEC012"].includes(code) &&
    unknown.some((type) => files.get(type) === file || message.includes(`"${type}"`) || message.endsWith(` from ${type}`));
  return all.flatMap((one) => {
    const at = places.get(typeOf(one));
    if (at !== undefined) return { ...one, ...at };
    return follows(one) ? [] : one;
  });
}

/** Codes of faults that may be a name which is spelled wrongly, or one that is missing. */
const misspelled: readonly string[] = ["SPEC003", "SPEC006", "SPEC007", "SPEC012", "SPEC014", "SPEC015"];

/**
 * Leaves out what follows from an action that lacks a parameter, and from an enum that has a value which the platform does not take: it is
 * reported where the parameter is bound.
 */
function withoutBound(all: readonly Diagnostic[], { entities }: LoadedConnector): readonly Diagnostic[] {
  const lacking = new Set(all.filter(({ message }) => lacksParam.test(message)).map(({ file }) => file));
  const names = entities.filter(({ source }) => lacking.has(source.path)).map(({ spec }) => spec.entity);
  const refused = new Set(all.flatMap(({ file, message }) => (takesNot.test(message) ? `${file} ${firstName(message)}` : [])));
  return all.filter(({ file, code, message, hint }) => {
    if (/^the (default|example) of parameter "/.test(message)) return !refused.has(`${file} ${firstName(message)}`);
    if (code !== "SPEC003" && code !== "SPEC019") return true;
    if (/takes the parameter ".*", which (no action has|this action does not have)$/.test(message))
      return !lacking.has(file) || hint?.startsWith("did you mean") === true;
    const [, entity] =
      /(?:, which (\w+)\.\w+ does not have|^(\w+)\.\w+ has no parameter ".*")$/.exec(message)?.filter(Boolean) ?? [];
    return entity === undefined || !names.includes(entity);
  });
}

const lacksParam = /^the path names "|^paging needs the parameter|^unknown variable "|, but the action has no required parameter/;
const takesNot = /^parameter ".*" can be /;
const firstName = (message: string) => /"([^"]*)"/.exec(message)?.[1] ?? "";

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
