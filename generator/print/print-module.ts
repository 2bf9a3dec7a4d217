import { IndentationText, Project, type StatementStructures, StructureKind } from "ts-morph";
import type { ImportedName, ModuleContent, Statement } from "./content.ts";

/** The text of a module. */
export function printModule({ header, imports, statements }: ModuleContent): string {
  const file = printer.createSourceFile("module.ts", { statements: statements.map(structureOf) }, { overwrite: true });
  const lines = imports.map(([from, names]) => importText(from, names));
  return `// ${header}\n\n${lines.join("\n")}${lines.length === 0 ? "" : "\n\n"}${file
    .getFullText()
    .trim()
    .replace(/\n{3,}/g, "\n\n")}\n`;
}

function structureOf(statement: Statement): string | StatementStructures {
  if (typeof statement === "string") return statement;
  return statement.kind === "Interface"
    ? { ...statement, kind: StructureKind.Interface }
    : { ...statement, kind: StructureKind.TypeAlias };
}

const printer = new Project({
  useInMemoryFileSystem: true,
  skipLoadingLibFiles: true,
  skipFileDependencyResolution: true,
  manipulationSettings: { indentationText: IndentationText.TwoSpaces },
});

const width = 130;

function importText(from: string, names: readonly ImportedName[]): string {
  const typeOnly = names.every(([, isType]) => isType);
  const list = names.map(([name, isType]) => (isType && !typeOnly ? `type ${name}` : name));
  const start = typeOnly ? "import type {" : "import {";
  // A whole module is imported by itself; other names of it need no import then.
  const whole = list.find((name) => name.startsWith("* as "));
  if (whole !== undefined) return `import ${typeOnly ? "type " : ""}${whole} from ${JSON.stringify(from)};`;
  const line = `${start} ${list.join(", ")} } from ${JSON.stringify(from)};`;
  return line.length <= width ? line : `${start}\n${list.map((name) => `  ${name},\n`).join("")}} from ${JSON.stringify(from)};`;
}
