import { nearest } from "../../runtime/base/nearest.ts";
import { type Diagnostic, formatDiagnostic, type Named, type Place, placeOf } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";

// Faults that say the same of one place, or of one name, as one that says where else it shows.

/** @param before the faults before those were left out that follow from others */
export function withoutRepeats(
  all: readonly Diagnostic[],
  before: readonly Diagnostic[],
  connector: LoadedConnector,
  oneEach: boolean,
): readonly Diagnostic[] {
  const declared = unusedNames(before, connector);
  const groups = grouped(atOrigin(all), (one) => keyOf(one, oneEach));
  const found = withoutShared(groups, connector).map((group) => renamed(group, declared) ?? withPlaces(group));
  return grouped(found, actionOf).map(together);
}

/** The action that lacks a parameter, or else what tells a fault from all others. */
function actionOf(one: Diagnostic): string {
  const { lacks, unbound } = one.facts ?? {};
  return unbound === undefined || lacks === undefined ? formatDiagnostic(one) : placeOf(unbound);
}

/** Parameters that one action lacks, as one fault that names them all. */
function together(group: Group): Diagnostic {
  const [first, ...others] = group;
  const names = others.flatMap(({ facts }) => facts?.lacks?.map(({ name }) => `"${name}"`) ?? []);
  return withHint(first, names.length === 0 ? undefined : `it also lacks ${names.join(", ")}`);
}

/** Where `connector.yaml` has no shared entries at all, several uses are one fault of that. */
function withoutShared(groups: readonly Group[], { spec, source }: LoadedConnector): readonly Group[] {
  return (["fields", "params"] as const).reduce((rest, key) => {
    const kind = key === "fields" ? "shared field" : "shared parameter";
    const uses = rest.filter(([{ facts }]) => facts?.lacks?.[0]?.kind === kind);
    const isBlock = uses.filter(([{ facts }]) => facts?.bare).length > 1 && Object.keys(spec[key] ?? {}).length === 0;
    if (!isBlock) return rest;
    const names = uses.flatMap(([{ facts }]) => facts?.lacks?.map(({ name }) => name) ?? []);
    const message = `connector.yaml has no \`${key}\`, but ${names.length} shared ones are used`;
    const { file, line, column } = source.at([key]);
    const one: Diagnostic = { file, line, column, code: "SPEC003", severity: "error", message, hint: names.join(", ") };
    return [[one], ...rest.filter((group) => !uses.includes(group))];
  }, groups);
}

function grouped(all: readonly Diagnostic[], keyFor: (one: Diagnostic) => string): Group[] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  for (const one of all) {
    const key = keyFor(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

type Group = readonly [Diagnostic, ...Diagnostic[]];

const saysOf = ({ facts, message }: Diagnostic) => facts?.says ?? message;

/**
 * Faults of several places that have what is wrong from one other place, as one at that place. Where only few of the places have the
 * fault, it is one of these.
 */
export function atOrigin(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const written = new Set(
    all.flatMap(({ origin }) => (origin !== undefined && origin.uses === undefined ? placeOf(origin) : [])),
  );
  const keyFor = (one: Diagnostic) => {
    const place = placeOf(one.origin?.entry ?? one.origin ?? one);
    return [one.code, place, written.has(place) ? "" : saysOf(one)].join("\n");
  };
  return grouped(all, keyFor).flatMap((group) => {
    const [first] = group;
    const origin = group.find((one) => one.origin !== undefined)?.origin;
    // What several aliases have from one anchor is written once.
    if (written.has(placeOf(first)) && new Set(group.map(placeOf)).size === 1) return [first];
    const isMost = (some: readonly Diagnostic[], uses = 0) => {
      const places = new Set(some.map(placeOf)).size;
      return places > 1 && places * 2 >= uses;
    };
    const plain = group.filter((one) => one.origin?.changed !== true);
    if (origin === undefined || !(isMost(plain, origin.uses?.plain) || isMost(group, origin.uses?.all))) return group;
    const isSame = group.every((one) => one.origin !== undefined && placeOf(one.origin) === placeOf(origin));
    const { file, line, column } = isSame ? origin : (origin.entry ?? origin);
    const { origin: _, ...rest } = first;
    return withHint({ ...rest, file, line, column }, alsoIn(group, origin, "used"));
  });
}

/** Kinds of names that are reported once, however often they are missing. */
const onceEach: readonly Named["kind"][] = [
  "action",
  "entity",
  "enum value",
  "error code",
  "field",
  "scope",
  "shared field",
  "shared parameter",
  "type",
];

function keyOf(one: Diagnostic, oneEach: boolean): string {
  const { strange } = one.facts ?? {};
  if (oneEach && strange !== undefined) return `value ${strange.join(", ")}`;
  const missing = missingName(one);
  if (missing !== undefined) return `${one.code}\n${missing.kind} ${missing.name}`;
  return [one.code, saysOf(one), placeOf(one)].join("\n");
}

function missingName({ code, facts }: Diagnostic): Named | undefined {
  const found = facts?.lacks?.find(({ kind }) => onceEach.includes(kind));
  return ["SPEC003", "SPEC019"].includes(code) || found?.kind === "enum value" ? found : undefined;
}

/** The first of several faults, with the places of the others. */
function withPlaces(group: Group): Diagnostic {
  const [first] = group;
  return missingName(first) === undefined ? first : withHint(first, alsoIn(group, first));
}

function withHint(one: Diagnostic, more: string | undefined): Diagnostic {
  if (more === undefined) return one;
  return { ...one, hint: one.hint === undefined ? more : `${one.hint}; ${more}` };
}

const mostPlaces = 3;

/** The other places at which a fault shows: `also in spec/github/issues.yaml:12`. */
function alsoIn(group: Group, here: Place, how: "also" | "used" = "also"): string | undefined {
  const lines = new Set(group.map(({ file, line }) => `${file}:${line}`));
  lines.delete(`${here.file}:${here.line}`);
  if (lines.size === 0) return undefined;
  const shown = [...lines].slice(0, mostPlaces);
  const more = lines.size - shown.length;
  return `${how} in ${shown.join(", ")}${more === 0 ? "" : `, and ${more} more`}`;
}

interface Declared extends Named {
  readonly at: Place;
}

/** Names that are declared and never used. */
function unusedNames(all: readonly Diagnostic[], { entities, spec }: LoadedConnector): readonly Declared[] {
  const used = new Set<string>();
  for (const one of [spec, ...entities.map((entity) => ({ ...entity.spec, entity: "" }))]) mentions(one, used);
  const lone = entities.filter((one) => !used.has(one.spec.entity));
  return [
    ...all.flatMap((one) => (one.facts?.unused === undefined ? [] : { ...one.facts.unused, at: one })),
    ...lone.map(({ spec: { entity }, source }): Declared => ({ kind: "entity", name: entity, at: source.at(["entity"]) })),
  ];
}

/** Adds every key and text of a value, and the first part of each path. */
function mentions(value: unknown, found: Set<string>): void {
  if (typeof value === "string") found.add(value.split(".")[0] ?? value);
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value)) {
      found.add(key);
      mentions(inner, found);
    }
}

/** A name that several places have in one spelling, and its declaration in another, as a fault of the declaration. */
function renamed(group: Group, declared: readonly Declared[]): Diagnostic | undefined {
  const missing = missingName(group[0]);
  if (missing === undefined || group.length < 2) return undefined;
  const near = nearest(
    missing.name,
    declared.filter(({ kind }) => kind === missing.kind).map(({ name }) => name),
  );
  const found = declared.find(({ kind, name }) => kind === missing.kind && name === near);
  if (found === undefined) return undefined;
  const { file, line, column } = found.at;
  const message = `the ${found.kind} "${found.name}" is used nowhere, but "${missing.name}" is in ${group.length} places`;
  return withHint({ file, line, column, code: "SPEC003", severity: "error", message }, alsoIn(group, found.at, "used"));
}
