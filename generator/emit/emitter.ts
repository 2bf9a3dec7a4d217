import type { ActionModel, ConnectorModel, EntityModel } from "../model/types.ts";

export interface EmittedFile {
  /** Path below the connector's folder in `generated/`. */
  readonly path: string;
  readonly text: string;
}

/** A pure function from the model to files. `entity` emitters run once per entity, so that a change to one leaves the others alone. */
export type Emitter =
  | { readonly name: string; readonly connector: (model: ConnectorModel) => readonly EmittedFile[] }
  | { readonly name: string; readonly entity: (entity: EntityModel, model: ConnectorModel) => readonly EmittedFile[] };

/** Stands in the first line of every generated file. */
export const generatedMark = "by `make generate`. Do not edit.";

export function generatedHeader(file: string): string {
  return `Generated from ${file} ${generatedMark}`;
}

/** Every action that code is generated for: those of callers, and the one that reads for the cache only. */
export function generatedActions(entity: EntityModel): readonly ActionModel[] {
  return entity.syncAction === undefined ? entity.actions : [...entity.actions, entity.syncAction];
}

/** All types of a connector by name. */
export function typesOf(model: ConnectorModel): ReadonlyMap<string, EntityModel["record"]> {
  const all = [
    ...model.types,
    ...model.entities.flatMap((entity) => [...entity.types, ...(entity.like === undefined ? [entity.record] : [])]),
  ];
  return new Map(all.map((type) => [type.name, type]));
}

export function enumsOf(model: ConnectorModel): ReadonlyMap<string, ConnectorModel["enums"][number]> {
  return new Map([...model.enums, ...model.entities.flatMap((entity) => entity.enums)].map((one) => [one.name, one]));
}
