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

  /** The entry, merged over the shared one of the same name: what it says itself counts. */
  field(name: string, own: FieldSpec | null): FieldSpec {
    return { ...take(this.#connector.spec.fields, name, this.#used.fields), ...own };
  }

  param(name: string, own: ParamSpec | null): ParamSpec {
    return { ...take(this.#connector.spec.params, name, this.#used.params), ...own };
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
}

function take<Entry>(
  shelf: Readonly<Record<string, Entry | null>> | undefined,
  name: string,
  used: Set<string>,
): Entry | undefined {
  if (shelf === undefined || !Object.hasOwn(shelf, name)) return undefined;
  used.add(name);
  return shelf[name] ?? undefined;
}
