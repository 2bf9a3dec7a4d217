import type { ModuleContent, Statement } from "./content.ts";

/** A TypeScript module under construction. Whoever adds statements asks for the names that they need, and `print` adds the imports. */
export class Module {
  readonly #imports = new Map<string, Map<string, boolean>>();
  readonly #statements: Statement[] = [];

  /** Imports a name from another module, and gives the name. `* as all` imports the whole module under a name. */
  use(name: string, from: string, how: "type" | "value"): string {
    const names = this.#imports.get(from) ?? new Map<string, boolean>();
    names.set(name, (names.get(name) ?? true) && how === "type");
    this.#imports.set(from, names);
    return name;
  }

  add(...statements: Statement[]): void {
    this.#statements.push(...statements);
  }

  /** @param header the first line, which says where the module comes from */
  content(header: string): ModuleContent {
    const imports = [...this.#imports].sort(byKey).map(([from, names]) => [from, [...names].sort(byKey)] as const);
    return { of: "module", header, imports, statements: this.#statements };
  }
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
