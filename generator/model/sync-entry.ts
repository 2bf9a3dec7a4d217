import { nearest } from "../../runtime/contract/index.ts";
import type { SyncSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { isStored } from "./search.ts";
import type { ActionModel, EntityModel, FieldModel } from "./types.ts";

/** One entry of an entity's `sync`, and what is around it. */
export interface SyncEntry {
  readonly entity: EntityModel;
  readonly spec: SyncSpec;
  readonly action: ActionModel;
  readonly error: (
    path: readonly string[],
    code: "SPEC003" | "SPEC016" | "SPEC018" | "SPEC019",
    message: string,
    hint?: string,
  ) => void;
  readonly entities: readonly EntityModel[];
  readonly context: BuildContext;
}

/** A field of stored records, by its name; undefined, and told, when there is none. */
export function storedField(
  { name: entity, record }: EntityModel,
  name: string,
  path: readonly string[],
  { error }: Pick<SyncEntry, "error">,
): FieldModel | undefined {
  const names = record.fields.map((field) => field.name);
  const field = record.fields.find((one) => one.name === name);
  if (field === undefined) error(path, "SPEC003", `${entity} has no field "${name}"`, oneOf(name, names));
  else if (isStored(field)) return field;
  else error(path, "SPEC018", `field "${name}" of ${entity} is not stored`, "it must be given by default or be searchable");
  return undefined;
}

/** The nearest name, or all there are. */
export function oneOf(name: string, names: readonly string[]): string | undefined {
  const near = nearest(name, names);
  if (near !== undefined) return `did you mean "${near}"?`;
  return names.length === 0 ? undefined : `there are ${names.join(", ")}`;
}
