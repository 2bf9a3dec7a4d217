import type { Diagnostic, Diagnostics } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";

type Uses = Map<string, { readonly kind: "fields" | "params"; readonly name: string; readonly isPlain: boolean }>;

/**
 * Leaves each fault once, at its cause. What follows from a file that cannot be read is dropped, and so is what looks unused because of
 * another fault. A fault of a shared field or parameter is reported where that is declared, and not at each use.
 */
export function settle(connector: LoadedConnector, diagnostics: Diagnostics): void {
  diagnostics.rewrite((all) => {
    const paths = all.flatMap(({ message }) => /^("\S*") has (an empty part|brackets)/.exec(message)?.[1] ?? []);
    const known = all.filter(
      (one) =>
        !followsFrom(connector.broken, one) && (one.code === "SPEC016" || !paths.some((path) => one.message.includes(path))),
    );
    const others = known.filter(({ code }) => misspelled.includes(code));
    const isFollowUp = (one: Diagnostic) => {
      const kind = unusedOf(one);
      return kind === "own" ? others.some(({ file }) => file === one.file) : kind === "named" && others.length > 0;
    };
    return atShared(
      known.filter((one) => !isFollowUp(one)),
      connector,
    );
  });
}

/** Names that a file declares which could not be read are not unknown. */
function followsFrom(broken: readonly string[], { code, message }: Diagnostic): boolean {
  if (code !== "SPEC003" || broken.length === 0) return false;
  const name = /"([\w.]+)"/.exec(message)?.[1]?.split(".")[0];
  return name !== undefined && broken.some((text) => new RegExp(`\\b${name}\\b`).test(text));
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
    // Of calls and types, messages name the one that the use belongs to.
    const said = one.message.replace(/ of [A-Z]\w*|(GET|POST|PUT|PATCH|DELETE) \S+|\w+\.\w+/g, "");
    const key = [use.kind, use.name, one.code, said].join("\n");
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const moved = new Map<Diagnostic, Diagnostic | undefined>();
  for (const [key, found] of groups) {
    const [kind = "", name = ""] = key.split("\n");
    // A use that changes the shared entry may have the fault from there too. It is one of this entry only if all plain uses have it.
    const places = new Set(found.map(placeOf).filter((place) => uses.get(place)?.isPlain)).size;
    const [first] = found;
    if (first === undefined || places < 2 || places < (counts.get(`${kind}.${name}`) ?? 0)) continue;
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
