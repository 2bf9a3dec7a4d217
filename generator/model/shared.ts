import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { FieldSpec, ParamSpec } from "../load/spec.ts";

type Kind = "fields" | "params";

const sharedKind = { fields: "shared field", params: "shared parameter" } as const;

/** Whether a use takes a shared entry, or a key of it, without a change that could be wrong. */
function isPlain(own: object | null | undefined, key: string | undefined): boolean {
  const keys = Object.keys(own ?? {});
  return key === undefined ? keys.every((one) => ["doc", "example", "required"].includes(one)) : !keys.includes(key);
}

/** The shared fields and parameters of `connector.yaml`, and which of them are used. */
export class Shared {
  readonly #connector: LoadedConnector;
  readonly #diagnostics: Diagnostics;
  readonly #uses = new Map<string, readonly (object | null)[]>();
  readonly #used = { fields: new Set<string>(), params: new Set<string>() };

  constructor(connector: LoadedConnector, diagnostics: Diagnostics) {
    this.#connector = connector;
    this.#diagnostics = diagnostics;
  }

  /** The entry of a field, with what it leaves out taken from the shared field of the same name. */
  field(name: string, own: FieldSpec | null): FieldSpec {
    return { ...take(this.#connector.spec.fields, name, this.#used.fields), ...own };
  }

  /** The entry of a parameter, with what it leaves out taken from the shared parameter of the same name. */
  param(name: string, own: ParamSpec | null): ParamSpec {
    return { ...take(this.#connector.spec.params, name, this.#used.params), ...own };
  }

  /**
   * Where a key of an entry is written, if that is in the shared entry: the entry itself does not have the key.
   *
   * @param own the entry
   * @param keys the key, and keys inside its value
   */
  at(kind: Kind, name: string, own: object | null | undefined, keys: readonly string[]): SourcePosition | undefined {
    const [key] = keys;
    const shared = this.#connector.spec[kind];
    const entry = shared !== undefined && Object.hasOwn(shared, name) ? shared[name] : undefined;
    if (key === undefined || entry === undefined || entry === null || !Object.hasOwn(entry, key) || Object.hasOwn(own ?? {}, key))
      return undefined;
    return this.#connector.source.at([kind, name, ...keys]);
  }

  /** The position of a use, or of a key of it, with that of the shared entry as its origin where the use has it from there. */
  use(kind: Kind, name: string, own: object | null | undefined, position: SourcePosition, key?: string): SourcePosition {
    const { spec, source } = this.#connector;
    const entry = Object.hasOwn(spec[kind] ?? {}, name) ? (spec[kind]?.[name] ?? {}) : undefined;
    if (entry === undefined || position.origin !== undefined) return position;
    if (own && key !== undefined && ["default", "example"].includes(key) && Object.hasOwn(own, key)) return position;
    // A missing key concerns the whole entry, and a key of the use may be wrong only in combination with another one.
    const part = key !== undefined && Object.hasOwn(entry, key) && !Object.hasOwn(own ?? {}, key) ? key : undefined;
    const isChanged = !isPlain(own, part) || (key !== undefined && Object.hasOwn(own ?? {}, key));
    const from = source.at([kind, name, ...(part === undefined ? [] : [part])]);
    const shared = source.at([kind, name]);
    const all = this.#usesOf(kind, name);
    const uses = { plain: all.filter((one) => isPlain(one, part)).length, all: all.length };
    return { ...position, origin: { ...from, entry: shared, uses, ...(isChanged ? { changed: true as const } : {}) } };
  }

  /** What entities change of a shared entry, for each use of it. */
  #usesOf(kind: Kind, name: string): readonly (object | null)[] {
    const known = this.#uses.get(`${kind} ${name}`);
    if (known !== undefined) return known;
    const places = this.#connector.entities.flatMap(({ spec }): (Readonly<Record<string, object | null>> | undefined)[] =>
      kind === "fields" ? [spec.fields] : Object.values(spec.actions).map(({ params }) => params),
    );
    const uses = places.flatMap((one) => (one !== undefined && Object.hasOwn(one, name) ? [one[name] ?? null] : []));
    this.#uses.set(`${kind} ${name}`, uses);
    return uses;
  }

  reportUnused(): void {
    // What an entity names that cannot be built is used too.
    const written = this.#connector.entities.map(({ spec }) => spec);
    const named = {
      fields: new Set(written.flatMap(({ fields = {} }) => Object.keys(fields))),
      params: new Set(written.flatMap(({ actions }) => Object.values(actions).flatMap(({ params }) => Object.keys(params)))),
    };
    for (const kind of ["fields", "params"] as const)
      for (const name of Object.keys(this.#connector.spec[kind] ?? {}))
        if (!this.#used[kind].has(name) && !named[kind].has(name))
          this.#diagnostics.error(
            this.#connector.source.at([kind, name]),
            "SPEC005",
            `${sharedKind[kind]} "${name}" is never used`,
            undefined,
            { unused: { kind: sharedKind[kind], name } },
          );
  }
}

function take<Entry>(
  entries: Readonly<Record<string, Entry | null>> | undefined,
  name: string,
  used: Set<string>,
): Entry | undefined {
  if (entries === undefined || !Object.hasOwn(entries, name)) return undefined;
  used.add(name);
  return entries[name] ?? undefined;
}
