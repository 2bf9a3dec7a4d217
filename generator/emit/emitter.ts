import type { ConnectorModel, EntityModel } from "../model/types.ts";
import type { Content } from "../print/content.ts";

export interface EmittedFile {
  /** Path below the connector's folder in `generated/`. */
  readonly path: string;
  readonly text: string;
}

/** A file as an emitter makes it: with its text, or with what is printed unless an earlier run has printed the same. */
export type MadeFile = EmittedFile | { readonly path: string; readonly content: Content };

/** Makes files of a whole connector, from the model alone. */
export interface ConnectorEmitter {
  readonly connector: (model: ConnectorModel) => readonly MadeFile[];
}

/** Makes the files of one entity, from the model alone. It runs once per entity, so that a change to one leaves the others alone. */
export interface EntityEmitter {
  readonly entity: (entity: EntityModel, model: ConnectorModel) => readonly MadeFile[];
}

/** Text in the first line of every generated file. The generator removes no file without it. */
export const generatedMark = "by `make generate`. Do not edit.";

export function generatedHeader(file: string): string {
  return `Generated from ${file} ${generatedMark}`;
}
