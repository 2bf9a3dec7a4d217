/**
 * What a change means for callers of a connector. `breaking`: something that worked may stop working. `deprecated`: it works, and the
 * platform says that it will go. `compatible`: everything that worked works as before. `documentation`: only texts for readers differ.
 */
export type SpecChangeKind = "breaking" | "deprecated" | "compatible" | "documentation";

export const specChangeKinds: readonly SpecChangeKind[] = ["breaking", "deprecated", "compatible", "documentation"];

/** One difference between two versions of a spec, or of a platform's description. */
export interface SpecChange {
  readonly kind: SpecChangeKind;
  /** Where it is, as callers see it: `todo tasks.update state`. */
  readonly path: string;
  readonly message: string;
  /** Of a change of the platform: the place in the spec that uses what changed, as `file:line:column`. */
  readonly at?: string;
  /** Of a change of the platform: the actions that use it, as `<entity>.<action>`. */
  readonly actions?: readonly string[];
}

/** The changes, the breaking ones first, then by place. */
export function sortedChanges<Of extends SpecChange>(changes: readonly Of[]): Of[] {
  const order = ({ kind }: SpecChange) => specChangeKinds.indexOf(kind);
  return [...changes].sort((a, b) => order(a) - order(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

/** Collects changes at one place. */
export class SpecChanges {
  readonly #found: SpecChange[];
  readonly #path: string;

  constructor(path: string, found: SpecChange[] = []) {
    this.#path = path;
    this.#found = found;
  }

  /** The place inside this one. */
  at(name: string, join = " "): SpecChanges {
    return new SpecChanges(this.#path === "" ? name : `${this.#path}${join}${name}`, this.#found);
  }

  add(kind: SpecChangeKind, message: string): void {
    this.#found.push({ kind, path: this.#path, message });
  }

  sorted(): SpecChange[] {
    return sortedChanges(this.#found);
  }

  /** Two texts for readers. */
  text(what: string, before: string, after: string): void {
    if (before !== after) this.add("documentation", `${what} differs`);
  }

  /** Two values of which any difference means the same for callers. */
  value(kind: SpecChangeKind, what: string, before: unknown, after: unknown): void {
    const [old, now] = [JSON.stringify(before), JSON.stringify(after)];
    if (old !== now) this.add(kind, `${what} changed from ${shown(old)} to ${shown(now)}`);
  }

  /**
   * Goes through two lists of things with names.
   *
   * @param each compares two things of one name
   */
  pairs<Item>(
    what: string,
    before: ReadonlyMap<string, Item>,
    after: ReadonlyMap<string, Item>,
    kinds: { readonly removed: SpecChangeKind; readonly added: SpecChangeKind | ((item: Item) => SpecChangeKind) },
    each: (before: Item, after: Item, changes: SpecChanges) => void,
    join = " ",
  ): void {
    for (const [name, item] of before) {
      const other = after.get(name);
      if (other === undefined) this.at(name, join).add(kinds.removed, `${what} removed`);
      else each(item, other, this.at(name, join));
    }
    for (const [name, item] of after) {
      if (before.has(name)) continue;
      this.at(name, join).add(typeof kinds.added === "function" ? kinds.added(item) : kinds.added, `${what} added`);
    }
  }
}

function shown(json: string | undefined): string {
  if (json === undefined) return "absent";
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}
