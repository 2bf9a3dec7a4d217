import { storeAction } from "../../runtime/contract/index.ts";
import type { SourcePosition } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { Source } from "../load/source.ts";
import { calledAs, generatedActions, typesOf } from "../model/parts.ts";
import type { ConnectorModel, TypeModel } from "../model/types.ts";

/** A part of a spec: what callers call it, and the actions that use it. */
export interface SpecPart {
  /** Such as `github issues.create` or `github Issue.title`. */
  readonly path: string;
  /** `<entity>.<action>`, sorted. */
  readonly actions: readonly string[];
}

interface Found extends SpecPart {
  readonly position: SourcePosition;
}

/** The parts of a connector's spec that a position can be in. */
export class SpecParts {
  readonly #files = new Map<string, Found[]>();
  readonly #readers = new Map<string, string>();
  readonly #all: readonly string[];
  readonly #connector: string;

  constructor(model: ConnectorModel, { spec, source, entities }: LoadedConnector) {
    const users = usersOf(model);
    const using = (name: string) => users.get(name) ?? [];
    this.#connector = model.name;
    this.#all = [...new Set([...users.values()].flat())].sort();
    const paramUsers = (name: string) =>
      model.entities.flatMap((entity) =>
        generatedActions(entity)
          .filter(({ params }) => params.some((param) => param.name === name))
          .map((action) => calledAs(entity, action)),
      );
    this.#shared(source, spec, using);
    for (const name of Object.keys(spec.params ?? {})) this.#add(source, ["params", name], `parameter ${name}`, paramUsers(name));
    for (const one of entities) {
      const entity = one.spec.entity;
      const record = one.spec.record ?? "";
      this.#add(one.source, ["entity"], entity, using(record));
      if (one.spec.on !== undefined) this.#readers.set(one.spec.on, placeText(one.source.at(["fields"])));
      this.#shared(one.source, one.spec, using);
      for (const field of Object.keys(one.spec.fields ?? {}))
        this.#add(one.source, ["fields", field], `${record}.${field}`, using(record));
      for (const action of Object.keys(one.spec.actions))
        this.#add(one.source, ["actions", action], named(entity, action), [named(entity, action)]);
    }
    for (const found of this.#files.values())
      found.sort((a, b) => a.position.line - b.position.line || a.position.column - b.position.column);
  }

  /** The part that a position is in. */
  of({ file, line, column }: SourcePosition): SpecPart {
    const found = this.#files
      .get(file)
      ?.findLast(({ position }) => position.line < line || (position.line === line && position.column <= column));
    return found ?? { path: this.#connector, actions: this.#all };
  }

  /** The position of an action as it is written; that of its entity where it is not. */
  at(action: string): string {
    return this.#at(action) ?? this.#at(action.split(".")[0] ?? "") ?? "";
  }

  /** The position of what reads a type of the platform's schema; undefined where nothing reads it as a whole. */
  reading(type: string): string | undefined {
    return this.#readers.get(type);
  }

  #at(name: string): string | undefined {
    const found = [...this.#files.values()].flat().find(({ path }) => path === `${this.#connector} ${name}`);
    return found === undefined ? undefined : placeText(found.position);
  }

  #shared(source: Source, spec: Pick<LoadedConnector["spec"], "types" | "enums">, using: (name: string) => readonly string[]) {
    for (const [name, type] of Object.entries(spec.types ?? {})) {
      if (type.on !== undefined && !this.#readers.has(type.on)) this.#readers.set(type.on, placeText(source.at(["types", name])));
      this.#add(source, ["types", name], name, using(name));
      for (const field of Object.keys(type.fields))
        this.#add(source, ["types", name, "fields", field], `${name}.${field}`, using(name));
    }
    for (const name of Object.keys(spec.enums ?? {})) this.#add(source, ["enums", name], name, using(name));
  }

  #add(source: Source, keys: readonly string[], path: string, actions: readonly string[]): void {
    const position = source.at(keys);
    const found = this.#files.get(position.file) ?? [];
    this.#files.set(position.file, found);
    found.push({ position, path: `${this.#connector} ${path}`, actions: [...new Set(actions)].sort() });
  }
}

/** `spec/github/issues.yaml:12:5` */
export function placeText({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

/** Callers know the action that fills the cache as the search in it. */
function named(entity: string, action: string): string {
  return `${entity}.${action === "sync" ? storeAction : action}`;
}

/** The actions that use each type and enum, by its name. A search of the cache uses what its entity's record is made of. */
function usersOf(model: ConnectorModel): ReadonlyMap<string, string[]> {
  const types = typesOf(model);
  const users = new Map<string, string[]>();
  for (const entity of model.entities) {
    const searched = entity.sync.length === 0 ? [] : [[`${entity.name}.${storeAction}`, entity.record, []] as const];
    const used = generatedActions(entity).map((action) => [calledAs(entity, action), action.returns, action.params] as const);
    for (const [action, type, params] of [...used, ...searched]) {
      const names = new Set<string>(params.map((param) => param.type.name));
      reach(type, types, names);
      for (const name of names) users.set(name, [...(users.get(name) ?? []), action]);
    }
  }
  return users;
}

function reach(type: TypeModel, types: ReadonlyMap<string, TypeModel>, found: Set<string>): void {
  if (found.has(type.name)) return;
  found.add(type.name);
  for (const field of type.fields) {
    const inner = field.type.kind === "type" ? types.get(field.type.name) : undefined;
    if (inner !== undefined) reach(inner, types, found);
    else if (field.type.kind === "enum") found.add(field.type.name);
  }
}
