import { camel, singular } from "./draft.ts";
import { allowedName } from "./open-api-names.ts";

// The places of a path, such as `{id}` of `/books/{id}`, and what they are called in a spec.

/** The names of the places in a path, as the platform has them. */
export const placesOf = (path: string) => [...path.matchAll(/\{([\w-]+)\}/g)].map((match) => match[1] ?? "");

const suffix =
  /(_?(iid|ids?|key|uuid|slug|gid)(_or_(id|iid|key|name|slug|uuid))?|IdOrKey|IdOrName|KeyOrId|I[Dd]s?|Key|Uuid|Slug)$/;

/**
 * What a place is called: the thing that it names, without the kind of its name. `{file_key}` → `file`. Where that is all that the place
 * has, the word before it says the thing (`/projects/{id}/issues` → `project`); the one place of a record's own path stays what it is.
 */
export function placeName(path: string, place: string): string {
  const stem = camel(place.replace(suffix, "") || "id");
  if (place.replace(suffix, "") !== "") return allowedName(stem, camel(place));
  const parts = path.split("/");
  const index = parts.indexOf(`{${place}}`);
  const alone = placesOf(path).length === 1 && index === parts.length - 1;
  const before = parts[index - 1] ?? "";
  if (alone || !/^[\w-]+$/.test(before)) return camel(place);
  const thing = singular(before);
  return allowedName(camel(thing), camel(`${thing}_${place}`));
}

/** The member of a record that a place has the value of: `iid` of `{issue_iid}`, `key` of `{issueIdOrKey}`. */
export function memberOfPlace(place: string, fields: readonly string[], key: string): string {
  const kind = /(iid|key|uuid|slug|gid)$/i.exec(place)?.[1]?.toLowerCase();
  return kind !== undefined && fields.includes(kind) ? kind : key;
}
