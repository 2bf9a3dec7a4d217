import { typeText } from "../model/type-reference.ts";
import type { EnumModel, FieldModel, TypeModel } from "../model/types.ts";
import type { SpecChanges } from "./change.ts";

/** Compares two versions of a record or an object in one: what was returned has to be returned still, in the same form. */
export function compareType(before: TypeModel, after: TypeModel, changes: SpecChanges): void {
  changes.text("its text", before.doc, after.doc);
  const byName = ({ fields }: TypeModel) => new Map(fields.map((field) => [field.name, field]));
  changes.pairs("field", byName(before), byName(after), { removed: "breaking", added: "compatible" }, compareField, ".");
}

function compareField(before: FieldModel, after: FieldModel, changes: SpecChanges): void {
  const [old, now] = [before.type, after.type];
  if (typeText(old) !== typeText(now)) {
    const narrower = old.name === now.name && old.list === now.list && old.nullable && !now.nullable;
    changes.add(narrower ? "compatible" : "breaking", `its type was ${typeText(old)}, now ${typeText(now)}`);
  }
  if (!before.onRequest && after.onRequest) changes.add("breaking", "is now returned only if `fields` names it");
  if (before.onRequest && !after.onRequest) changes.add("compatible", "is now returned by default");
  if (before.scope !== after.scope)
    changes.add(
      after.scope === undefined ? "compatible" : "breaking",
      `its scope was ${before.scope ?? "none"}, now ${after.scope ?? "none"}`,
    );
  if (before.search !== undefined && after.search === undefined) changes.add("breaking", "is no longer searchable in the cache");
  else if (before.search === undefined && after.search !== undefined) changes.add("compatible", "is now searchable in the cache");
  else if (before.search?.type !== after.search?.type)
    changes.add("breaking", `is compared as ${after.search?.type} in the cache, no longer as ${before.search?.type}`);
  if (before.semantic !== undefined && after.semantic === undefined)
    changes.add("breaking", "can no longer be searched by meaning");
  if (before.semantic === undefined && after.semantic !== undefined) changes.add("compatible", "can now be searched by meaning");
  if (JSON.stringify(before.plan) !== JSON.stringify(after.plan))
    changes.add("compatible", "is read from the platform in another way");
  changes.text("its text", before.doc, after.doc);
}

/** Compares two versions of an enumeration. A record may have a new value at any time, so that only a removed one can break a caller. */
export function compareEnum(before: EnumModel, after: EnumModel, changes: SpecChanges): void {
  changes.text("its text", before.doc, after.doc);
  const byName = ({ values }: EnumModel) => new Map(values.map((value) => [value.value, value.doc]));
  changes.pairs("value", byName(before), byName(after), { removed: "breaking", added: "compatible" }, (old, now, value) =>
    value.text("its text", old, now),
  );
}
