import { suggestion } from "../../runtime/base/suggestion.ts";
import type { Facts, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { SyncSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { isStored } from "./search.ts";
import type { ActionModel, EntityModel, FieldModel } from "./types.ts";

/** One entry of an entity's `sync`, and what is needed to check it. */
export interface SyncEntry {
  readonly entity: EntityModel;
  readonly spec: SyncSpec;
  readonly action: ActionModel;
  readonly at: (path: readonly string[]) => SourcePosition;
  readonly error: (
    path: readonly string[],
    code: "SPEC003" | "SPEC012" | "SPEC013" | "SPEC016" | "SPEC018" | "SPEC019",
    message: string,
    hint?: string,
    facts?: Facts,
  ) => void;
  readonly entities: readonly EntityModel[];
  readonly context: BuildContext;
}

/** A field of an entity's stored records; undefined, and reported, when there is no such field or it is not stored. */
export function storedField(
  { name: entity, record }: EntityModel,
  name: string,
  path: readonly string[],
  { error }: Pick<SyncEntry, "error">,
): FieldModel | undefined {
  const names = record.fields.map((field) => field.name);
  const field = record.fields.find((one) => one.name === name);
  if (field === undefined)
    error(path, "SPEC003", `${entity} has no field "${name}"`, suggestion(name, names), { lacks: [{ kind: "field", name }] });
  else if (isStored(field)) return field;
  else
    error(
      path,
      "SPEC018",
      `field "${name}" of ${entity} is not stored`,
      "fields are stored that are given by default or searchable",
    );
  return undefined;
}
