import { editDistance } from "../../runtime/base/edit-distance.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import type { Diagnostics, Named, SourcePosition } from "../diagnostic/diagnostic.ts";
import { typeNameProblem } from "./names.ts";
import { scalarTypes, type TypeReference } from "./types.ts";

interface Declared {
  readonly name: string;
  readonly kind: "enum" | "type";
  readonly position: SourcePosition;
}

/** Names of the enums and types of a connector, and which of them are used. */
export class Names {
  /** By the name in lower case: headings of the reference pages do not tell upper and lower case apart. */
  readonly #declared = new Map<string, Declared>();
  readonly #used = new Set<string>();

  declare(name: string, kind: "enum" | "type", position: SourcePosition, diagnostics: Diagnostics): void {
    const problem = typeNameProblem(name);
    if (problem !== undefined) diagnostics.error(position, "SPEC010", problem);
    const twin = this.#declared.get(name.toLowerCase());
    if (twin === undefined) this.#declared.set(name.toLowerCase(), { name, kind, position });
    else {
      const difference = twin.name === name ? `"${name}" is already` : `"${name}" differs only in case from "${twin.name}",`;
      diagnostics.error(
        position,
        "SPEC010",
        `${difference} the name of ${twin.kind === "enum" ? "an enum" : "a type"} in ${twin.position.file}:${twin.position.line}`,
      );
    }
  }

  /** The kind of a name, which counts as used from now on; undefined when there is no such name. */
  use(name: string): "enum" | "type" | undefined {
    this.#used.add(name);
    return this.#find(name)?.kind;
  }

  /** Where a name is declared; undefined when it is not. */
  positionOf(name: string): SourcePosition | undefined {
    return this.#find(name)?.position;
  }

  reportUnused(diagnostics: Diagnostics): void {
    for (const { name, kind, position } of this.#declared.values())
      if (!this.#used.has(name))
        diagnostics.error(position, "SPEC005", `${kind} "${name}" is never used`, undefined, { unused: { kind: "type", name } });
  }

  get all(): string[] {
    return [...this.#declared.values()].map(({ name }) => name);
  }

  #find(name: string): Declared | undefined {
    const found = this.#declared.get(name.toLowerCase());
    return found?.name === name ? found : undefined;
  }
}

/** Letters in which a name that is misspelled differs from the right one. */
const mostTypos = 2;

/** Reads `[Label]?` as a list of Label that may be null. An unknown name is reported and gives undefined. */
export function parseType(
  text: string,
  names: Names,
  position: SourcePosition,
  diagnostics: Diagnostics,
): TypeReference | undefined {
  const nullable = text.endsWith("?");
  const bare = nullable ? text.slice(0, -1) : text;
  const list = bare.startsWith("[");
  const name = list ? bare.slice(1, -1) : bare;
  if ((scalarTypes as readonly string[]).includes(name)) return { kind: "scalar", name, list, nullable };
  const kind = names.use(name);
  if (kind !== undefined) return { kind, name, list, nullable };
  const known = [...scalarTypes, ...names.all];
  diagnostics.error(position, "SPEC003", `unknown type "${name}"`, suggestion(name, known), {
    lacks: [{ kind: "type", name }],
    ...(known.some((one) => editDistance(name, one) <= mostTypos) ? {} : { bare: true }),
    unusable: true,
  });
  return undefined;
}

/** Values of an enum, as names that a diagnostic says are lacking or lost. */
export function enumValuesOf(name: string, values: readonly string[]): Named[] {
  return values.map((value) => ({ kind: "enum value", name: `${name}.${value}` }));
}

/** The reference as an author writes it. */
export function typeText(type: TypeReference): string {
  return `${type.list ? `[${type.name}]` : type.name}${type.nullable ? "?" : ""}`;
}
