import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { FieldSpec, ParamSpec } from "../load/spec.ts";

/** The shared fields and parameters of `connector.yaml`, and which of them are used. */
export class Shared {
  readonly #connector: LoadedConnector;
  readonly #diagnostics: Diagnostics;
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
  at(
    kind: "fields" | "params",
    name: string,
    own: object | null | undefined,
    keys: readonly string[],
  ): SourcePosition | undefined {
    const [key] = keys;
    const shared = this.#connector.spec[kind];
    const entry = shared !== undefined && Object.hasOwn(shared, name) ? shared[name] : undefined;
    if (key === undefined || entry === undefined || entry === null || !Object.hasOwn(entry, key) || Object.hasOwn(own ?? {}, key))
      return undefined;
    return this.#connector.source.at([kind, name, ...keys]);
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
            `shared ${kind === "fields" ? "field" : "parameter"} "${name}" is never used`,
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
