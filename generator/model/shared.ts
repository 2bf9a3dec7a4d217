import type { Diagnostics } from "../diagnostic/diagnostic.ts";
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
  entries: Readonly<Record<string, Entry | null>> | undefined,
  name: string,
  used: Set<string>,
): Entry | undefined {
  if (entries === undefined || !Object.hasOwn(entries, name)) return undefined;
  used.add(name);
  return entries[name] ?? undefined;
}
