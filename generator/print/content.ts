import type { InterfaceDeclarationStructure, TypeAliasDeclarationStructure } from "ts-morph";

// What the texts of generated files are made from, as plain JSON values. The libraries that make the texts are slow to load, so they are
// loaded only when no earlier run has printed the same content.

export type Content = ModuleContent | ValidatorsContent;

/** A declaration with the name of its kind, so that ts-morph is not loaded before something is printed. */
export type InterfaceDeclaration = Omit<InterfaceDeclarationStructure, "kind"> & { readonly kind: "Interface" };
export type TypeAliasDeclaration = Omit<TypeAliasDeclarationStructure, "kind"> & { readonly kind: "TypeAlias" };
export type Statement = string | InterfaceDeclaration | TypeAliasDeclaration;

/** Of a TypeScript module. */
export interface ModuleContent {
  readonly of: "module";
  /** The first line, which says where the module comes from. */
  readonly header: string;
  /** Imported names by module. */
  readonly imports: readonly (readonly [from: string, names: readonly ImportedName[]])[];
  readonly statements: readonly Statement[];
}

export type ImportedName = readonly [name: string, isType: boolean];

/** Of a module that checks parameters. */
export interface ValidatorsContent {
  readonly of: "validators";
  readonly header: string;
  /** Module specifier of the contract. */
  readonly contract: string;
  readonly schemas: readonly { readonly $id: string; readonly [keyword: string]: unknown }[];
}
