import { IndentationText, Project, type StatementStructures } from "ts-morph";

/** A TypeScript module under construction. Whoever adds statements asks for the names that they need, and `print` adds the imports. */
export class Module {
  readonly #imports = new Map<string, Map<string, boolean>>();
  readonly #statements: (string | StatementStructures)[] = [];

  /** Imports a name from another module, and gives the name. `* as all` imports the whole module under a name. */
  use(name: string, from: string, how: "type" | "value"): string {
    const names = this.#imports.get(from) ?? new Map<string, boolean>();
    names.set(name, (names.get(name) ?? true) && how === "type");
    this.#imports.set(from, names);
    return name;
  }

  add(...statements: (string | StatementStructures)[]): void {
    this.#statements.push(...statements);
  }

  /** The module as text, with a first line that says where it comes from. */
  print(header: string): string {
    const file = printer.createSourceFile("module.ts", { statements: this.#statements }, { overwrite: true });
    const imports = [...this.#imports].sort(byKey).map(([from, names]) => importText(from, [...names].sort(byKey)));
    return `// ${header}\n\n${imports.join("\n")}${imports.length === 0 ? "" : "\n\n"}${file
      .getFullText()
      .trim()
      .replace(/\n{3,}/g, "\n\n")}\n`;
  }
}

const printer = new Project({
  useInMemoryFileSystem: true,
  skipLoadingLibFiles: true,
  skipFileDependencyResolution: true,
  manipulationSettings: { indentationText: IndentationText.TwoSpaces },
});

const width = 130;

function importText(from: string, names: readonly (readonly [string, boolean])[]): string {
  const typeOnly = names.every(([, isType]) => isType);
  const list = names.map(([name, isType]) => (isType && !typeOnly ? `type ${name}` : name));
  const start = typeOnly ? "import type {" : "import {";
  // A whole module is imported by itself; other names of it need no import then.
  const whole = list.find((name) => name.startsWith("* as "));
  if (whole !== undefined) return `import ${typeOnly ? "type " : ""}${whole} from ${JSON.stringify(from)};`;
  const line = `${start} ${list.join(", ")} } from ${JSON.stringify(from)};`;
  return line.length <= width ? line : `${start}\n${list.map((name) => `  ${name},\n`).join("")}} from ${JSON.stringify(from)};`;
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
