import type { ConnectorModel, EntityModel } from "../model/types.ts";

export interface EmittedFile {
  /** Path below the connector's folder in `generated/`. */
  readonly path: string;
  readonly text: string;
}

/** Makes files of a whole connector, from the model alone. */
export interface ConnectorEmitter {
  readonly connector: (model: ConnectorModel) => readonly EmittedFile[];
}

/** Makes the files of one entity, from the model alone. It runs once per entity, so that a change to one leaves the others alone. */
export interface EntityEmitter {
  readonly entity: (entity: EntityModel, model: ConnectorModel) => readonly EmittedFile[];
}

/** Text in the first line of every generated file. The generator removes no file without it. */
export const generatedMark = "by `make generate`. Do not edit.";

export function generatedHeader(file: string): string {
  return `Generated from ${file} ${generatedMark}`;
}
