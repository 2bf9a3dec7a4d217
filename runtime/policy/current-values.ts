import { canonical } from "../accounts/index.ts";
import { invalidRequest, TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import type { Action, FieldChange } from "../contract/index.ts";
import { executeChecked, type GuardedWrite, prepareRequest } from "../execute/index.ts";
import { changedFields } from "./policy.ts";

/**
 * What a write sets, beside what the platform has now. The current values are read where the entity has `get` and the write says which
 * record it is about. A write that sets nothing, such as a deletion, has the fields that say which record it is.
 *
 * @throws TenonError what the platform fails with
 */
export async function changesOf(write: GuardedWrite): Promise<readonly FieldChange[]> {
  const { action, params } = write.request;
  const entity = write.instance.connector.entities[action.name.slice(0, action.name.lastIndexOf("."))];
  const sent = changedFields(action, params);
  // A deletion in GraphQL has no address that says which params are the place.
  const set = sent.every((name) => entity?.actions["get"]?.params.includes(name)) ? [] : sent;
  const fields = entity?.record.fields ?? {};
  const nameOf = (param: string) => [param, camelCase(param)].find((name) => Object.hasOwn(fields, name));
  const names = set.length > 0 ? set.map(nameOf) : (entity?.brief ?? []).map((path) => path.split(".")[0]);
  const wanted = [...new Set(names.filter((name) => name !== undefined))];
  const record = wanted.length === 0 ? undefined : await recordOf(write, set, wanted);
  const from = (name: string | undefined) => (record === undefined || name === undefined ? {} : { from: record[name] });
  return set.length > 0
    ? set.map((field) => ({ field, ...from(nameOf(field)), to: params[field] }))
    : wanted.map((field) => ({ field, ...from(field) }));
}

/** Whether an update sets only what the platform has. What it has in another form, such as labels by their names, counts as changed. */
export function isWithoutEffect({ changes: updates = [] }: Action, changes: readonly FieldChange[]): boolean {
  return (
    updates.length > 0 && changes.length > 0 && changes.every((one) => "from" in one && canonical(one.from) === canonical(one.to))
  );
}

/** The error for an update that sets only what the platform has. */
export function changesNothing(changes: readonly FieldChange[]): TenonError {
  const names = changes.map(({ field }) => field);
  const message = `The update changes nothing: the platform has these values of ${names.join(", ")} already. Nothing was sent.`;
  return invalidRequest([{ pointer: "/params", code: "empty_update", message }]);
}

/** The record that a write is about, read from the platform. @param set the params that say what to change, and not which record */
async function recordOf(
  { instance, request, context }: GuardedWrite,
  set: readonly string[],
  fields: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { action, params } = request;
  const get = instance.connector.entities[action.name.slice(0, action.name.lastIndexOf("."))]?.actions["get"];
  if (get === undefined) return undefined;
  const places = Object.keys(params).filter((name) => !set.includes(name) && name !== "fields");
  // A write may have a longer name for the same param, such as `issue_number` for `number`.
  const paramOf = (name: string) => places.find((one) => one === name) ?? places.find((one) => one.endsWith(`_${name}`));
  const given = get.params.flatMap((name) => {
    const param = paramOf(name);
    return param === undefined ? [] : [[name, params[param]] as const];
  });
  if (!get.validate(Object.fromEntries(given))) return undefined;
  try {
    const { data } = await executeChecked(instance, prepareRequest(get, { ...Object.fromEntries(given), fields }), context);
    return isObject(data) ? data : undefined;
  } catch (thrown) {
    // A write may be about something that is not there yet.
    if (thrown instanceof TenonError && thrown.code === "not_found") return undefined;
    throw thrown;
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}
