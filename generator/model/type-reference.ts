import { nearest } from "../../runtime/contract/index.ts";
import type { Diagnostics, Position } from "../diagnostic.ts";
import { scalars, type TypeReference } from "./types.ts";

/** Names that a type may refer to, and which of them were used. */
export class Names {
  readonly #kinds = new Map<string, { kind: "enum" | "type"; at: Position; shared: boolean }>();
  readonly #used = new Set<string>();

  declare(name: string, kind: "enum" | "type", at: Position, shared: boolean, diagnostics: Diagnostics): void {
    const twin = this.#kinds.get(name);
    if (twin !== undefined) {
      diagnostics.error(
        at,
        "SPEC010",
        `"${name}" is already the name of ${twin.kind === "enum" ? "an enum" : "a type"} in ${twin.at.file}:${twin.at.line}`,
      );
      return;
    }
    this.#kinds.set(name, { kind, at, shared });
  }

  use(name: string): "enum" | "type" | undefined {
    this.#used.add(name);
    return this.#kinds.get(name)?.kind;
  }

  reportUnused(diagnostics: Diagnostics): void {
    for (const [name, { kind, at }] of this.#kinds)
      if (!this.#used.has(name)) diagnostics.error(at, "SPEC005", `${kind} "${name}" is never used`);
  }

  get all(): string[] {
    return [...this.#kinds.keys()];
  }
}

/** `[Label]?` → a list of Label that may be null. An unknown name is told, with the nearest known one. */
export function parseType(text: string, names: Names, at: Position, diagnostics: Diagnostics): TypeReference | undefined {
  const nullable = text.endsWith("?");
  const bare = nullable ? text.slice(0, -1) : text;
  const list = bare.startsWith("[");
  const name = list ? bare.slice(1, -1) : bare;
  if ((scalars as readonly string[]).includes(name)) return { kind: "scalar", name, list, nullable };
  const kind = names.use(name);
  if (kind === undefined) {
    const near = nearest(name, [...scalars, ...names.all]);
    diagnostics.error(
      at,
      "SPEC003",
      `unknown type "${name}"`,
      near === undefined ? `allowed: ${scalars.join(", ")}, or an enum or type of this connector` : `did you mean "${near}"?`,
    );
    return undefined;
  }
  return { kind, name, list, nullable };
}

/** The reference as an author would write it. */
export function typeText(type: TypeReference): string {
  return `${type.list ? `[${type.name}]` : type.name}${type.nullable ? "?" : ""}`;
}
