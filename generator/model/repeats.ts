import { basename } from "node:path";
import { nearest } from "../../runtime/base/nearest.ts";
import {
  anyName,
  type Diagnostic,
  formatDiagnostic,
  type Named,
  type Place,
  placeOf,
  type SourcePosition,
} from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { Source } from "../load/source.ts";

// Faults that say the same of one place, or of one name, as one that says where else it shows.

/** @param before the faults before those were left out that follow from others */
export function withoutRepeats(
  all: readonly Diagnostic[],
  before: readonly Diagnostic[],
  connector: LoadedConnector,
  oneEach: boolean,
): readonly Diagnostic[] {
  const declared = unusedNames(before, connector);
  const groups = grouped(atOrigin(all), (one, all) => keyOf(one, all, oneEach));
  const found = withoutScalars(withoutMappings(groups, connector), connector).map(
    (group) => renamed(group, declared) ?? withPlaces(group),
  );
  const signs = found.flatMap(({ facts }) => (facts?.ofPage?.isSign ? writtenAt(facts.ofPage.at) : []));
  const isWrongPage = (page: SourcePosition) => signs.includes(writtenAt(page));
  return grouped(found, (one) => (oneEach && partOf(one, isWrongPage)) || actionOf(one)).map(together);
}

/** Where an entry is written that is at a place, or that an alias there refers to. */
const writtenAt = (at: SourcePosition): string => placeOf(at.origin ?? at);

/** What a fault is a part of: a page whose `by` is wrong, for example. */
function partOf({ file, facts }: Diagnostic, isWrongPage: (page: SourcePosition) => boolean): string | undefined {
  const { entry, ofPage, partOf: whole, unused } = facts ?? {};
  if (whole !== undefined) return writtenAt(whole);
  if (ofPage !== undefined && isWrongPage(ofPage.at)) return writtenAt(ofPage.at);
  if (unused?.kind === "type") return `unused\n${file}`;
  return entry === undefined ? undefined : `entry\n${writtenAt(entry)}`;
}

/** The action or call that lacks a parameter, or else what tells a fault from all others. */
function actionOf(one: Diagnostic): string {
  const { lacks, loses, unbound } = one.facts ?? {};
  const isCall = one.code === "SPEC019" && lacks?.[0]?.kind === "parameter";
  const place = unbound ?? (isCall ? one : undefined);
  return place === undefined || (lacks ?? loses) === undefined ? formatDiagnostic(one) : placeOf(place);
}

/** What is wrong with several names at one place, or with one in several ways, as one fault. */
function together(group: Group): Diagnostic {
  const [first, ...others] = group;
  if (others.length === 0) return first;
  const own = namesOf(first);
  const isAlike = (one: Diagnostic) => one.code === first.code && namesOf(one).some((name) => !own.includes(name));
  const names = new Set(others.filter(isAlike).flatMap(namesOf));
  const messages = new Set(others.filter((one) => !isAlike(one)).map(({ message }) => message));
  const { file, line, column } = first.facts?.partOf ?? first.facts?.ofPage?.at ?? first;
  const hints = [
    ...(names.size === 0 ? [] : [`the same goes for ${[...names].map((name) => `"${name}"`).join(", ")}`]),
    ...(messages.size === 0 ? [] : [`also${alsoAt(first, others)}: ${some([...messages], "; ")}`]),
  ];
  return withHint({ ...first, file, line, column }, hints.join("; "));
}

/** The names that a fault lacks, or else loses or calls unused. */
function namesOf({ facts }: Diagnostic): string[] {
  const { lacks, loses = [], unused } = facts ?? {};
  return (unused === undefined ? (lacks ?? loses) : [unused]).map(({ name }) => name);
}

/** Where other faults are, if not in the same line. */
function alsoAt(here: Place, others: readonly Diagnostic[]): string {
  const at = others.find(({ file, line }) => file !== here.file || line !== here.line);
  return at === undefined ? "" : ` in ${at.file}:${at.line}`;
}

const undeclared = "types are used that are declared nowhere";

/** Mappings of a spec whose names are used elsewhere, with what is said of the uses where there is no such mapping. */
const mappings = [
  { key: "fields", kind: "shared field", uses: "shared ones are used" },
  { key: "params", kind: "shared parameter", uses: "shared ones are used" },
  { key: "scopes", kind: "scope", uses: "are used" },
  { key: "types", kind: "type", uses: undeclared },
  { key: "enums", kind: "type", uses: undeclared },
] as const;

interface WithMappings {
  readonly source: Source;
  readonly spec: { readonly [Key in (typeof mappings)[number]["key"]]?: object };
}

/** Where a file has no such entries at all, several uses are one fault of that. */
function withoutMappings(groups: readonly Group[], { spec, source, entities }: LoadedConnector): readonly Group[] {
  return mappings.reduce((rest, { key, kind, uses: are }) => {
    const uses = rest.filter(([{ code, facts }]) => code === "SPEC003" && facts?.lacks?.[0]?.kind === kind);
    // Types that one entity alone uses are declared in its own file.
    const own = kind === "type" ? entities.filter((one) => uses.every(([{ file }]) => file === one.source.path)) : [];
    const places: readonly WithMappings[] = [...own, { spec, source }];
    const lacking = places.find((one) => Object.keys(one.spec[key] ?? {}).length === 0);
    // Others may be misspelled.
    const isSure = kind === "scope" || uses.filter(([{ facts }]) => facts?.bare).length > 1;
    if (uses.length < 2 || !isSure || lacking === undefined) return rest;
    const names = uses.flatMap(([{ facts }]) => facts?.lacks?.[0]?.name ?? []);
    const { file, line, column } = lacking.source.at([key]);
    const message = `${basename(file)} has no \`${key}\`, but ${names.length} ${are}`;
    const one: Diagnostic = { file, line, column, code: "SPEC003", severity: "error", message, hint: names.join(", ") };
    return [[one], ...rest.filter((group) => !uses.includes(group))];
  }, groups);
}

/** Where all that several places say of a scalar contradicts `scalars`, or `scalars` lacks it, that is one fault of `scalars`. */
function withoutScalars(groups: readonly Group[], { spec, source }: LoadedConnector): readonly Group[] {
  const keyFor = ([{ facts }]: Group) => (facts?.scalar === undefined ? undefined : `${facts.scalar.name} ${facts.scalar.type}`);
  return [...Map.groupBy(groups, keyFor)].flatMap(([key, uses]): readonly Group[] => {
    const [first, second] = uses;
    const { scalar } = first?.[0].facts ?? {};
    if (key === undefined || first === undefined || second === undefined || scalar === undefined) return uses;
    const is = spec.platform.graphql?.scalars?.[scalar.name];
    const { file, line, column } = source.at(["platform", "graphql", "scalars", scalar.name]);
    const message = `${is === undefined ? `\`scalars\` lacks "${scalar.name}"` : `\`scalars\` says that "${scalar.name}" is ${is}`}, but ${uses.length} places take it as ${scalar.type}`;
    const one: Diagnostic = { file, line, column, code: "SPEC006", severity: "error", message };
    return [[withHint(one, alsoIn(uses.flat(), one, "used"))]];
  });
}

function grouped(all: readonly Diagnostic[], keyFor: (one: Diagnostic, all: readonly Diagnostic[]) => string): Group[] {
  const groups = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  for (const one of all) {
    const key = keyFor(one, all);
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

/** Kinds of names of which a type is wrong. What depends on it says so in its own way. */
const typeKinds: readonly Named["kind"][] = ["field type", "parameter type"];

/** The type without which most faults would not be there, of those that a fault depends on. */
function typeOf(one: Diagnostic, all: readonly Diagnostic[]): Named | undefined {
  const types = (one.facts?.lacks ?? []).filter(({ kind }) => typeKinds.includes(kind));
  const uses = ({ kind, name }: Named) =>
    all.filter(({ facts }) => facts?.lacks?.some((other) => other.kind === kind && other.name === name)).length;
  return types.toSorted((a, b) => uses(b) - uses(a))[0];
}

function keyOf(one: Diagnostic, all: readonly Diagnostic[], oneEach: boolean): string {
  const { strange } = one.facts ?? {};
  const type = oneEach ? typeOf(one, all) : undefined;
  if (type !== undefined) return `${type.kind} ${type.name}`;
  if (oneEach && strange !== undefined) return `value ${strange.join(", ")}`;
  const missing = missingName(one);
  if (missing !== undefined) return `${one.code}\n${missing.kind} ${missing.name}`;
  // What is wrong in a part that many documents have is wrong in each of them.
  return [one.code, saysOf(one), ...(one.code === "SPEC012" ? [] : [placeOf(one)])].join("\n");
}

function missingName({ code, facts }: Diagnostic): Named | undefined {
  const found = facts?.lacks?.find(({ kind, name }) => onceEach.includes(kind) && !name.endsWith(anyName));
  return ["SPEC003", "SPEC019"].includes(code) || found?.kind === "enum value" ? found : undefined;
}

/** The first of several faults, with the places of the others. */
function withPlaces(group: Group): Diagnostic {
  const [first] = group;
  const isOne = missingName(first) !== undefined || group.length > 1;
  return isOne ? withHint(first, alsoIn(group, first)) : first;
}

function withHint(one: Diagnostic, more: string | undefined): Diagnostic {
  if (more === undefined) return one;
  return { ...one, hint: one.hint === undefined ? more : `${one.hint}; ${more}` };
}

/** How many places or faults a hint names. */
const mostPlaces = 3;

/** The other places at which a fault shows: `also in spec/github/issues.yaml:12`. */
function alsoIn(group: readonly Diagnostic[], here: Place, how: "also" | "used" = "also"): string | undefined {
  const lines = new Set(group.map(({ file, line }) => `${file}:${line}`));
  lines.delete(`${here.file}:${here.line}`);
  if (lines.size === 0) return undefined;
  return `${how} in ${some([...lines], ", ")}`;
}

/** The first of several texts, and how many more there are. */
function some(texts: readonly string[], between: string): string {
  const more = texts.length - mostPlaces;
  return `${texts.slice(0, mostPlaces).join(between)}${more > 0 ? `, and ${more} more` : ""}`;
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
