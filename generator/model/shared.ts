import type { Diagnostics } from "../diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { FieldSpec, ParamSpec } from "../load/spec.ts";

/** Fields and parameters of `connector.yaml` that entities name, and which of them are never named. */
export class Shared {
  readonly #connector: LoadedConnector;
  readonly #diagnostics: Diagnostics;
  readonly #used = { fields: new Set<string>(), params: new Set<string>() };

  constructor(connector: LoadedConnector, diagnostics: Diagnostics) {
    this.#connector = connector;
    this.#diagnostics = diagnostics;
  }

  /** The entry, merged over the shared one of the same name. An entry that says both type and doc is whole by itself. */
  field(name: string, own: FieldSpec | null): FieldSpec {
    if (own?.type !== undefined && own.doc !== undefined) return own;
    return { ...this.#take("fields", name), ...own };
  }

  param(name: string, own: ParamSpec | null): ParamSpec {
    if (own?.type !== undefined && own.doc !== undefined) return own;
    return { ...this.#take("params", name), ...own };
  }

  reportUnused(): void {
    for (const kind of ["fields", "params"] as const)
      for (const name of Object.keys(this.#connector.spec[kind] ?? {}))
        if (!this.#used[kind].has(name))
          this.#diagnostics.error(
            this.#connector.source.at([kind, name]),
            "SPEC005",
            `shared ${kind === "fields" ? "field" : "parameter"} "${name}" is never used`,
          );
  }

  #take(kind: "fields", name: string): FieldSpec | undefined;
  #take(kind: "params", name: string): ParamSpec | undefined;
  #take(kind: "fields" | "params", name: string): FieldSpec | ParamSpec | undefined {
    const shelf = this.#connector.spec[kind];
    if (shelf === undefined || !Object.hasOwn(shelf, name)) return undefined;
    this.#used[kind].add(name);
    return shelf[name] ?? undefined;
  }
}
