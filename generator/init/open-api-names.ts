import { reservedNames, sameField } from "../model/names.ts";
import { camel, longestName, plural } from "./draft.ts";

/** The first of two names that a spec can have. What every JavaScript object has is none: `constructor` → `constructor_`. */
export function allowedName(name: string, other = name): string {
  return [name, other].find((one) => !reservedNames.includes(one)) ?? `${name}_`;
}

const withoutKind = /_(id|iid|key)$/;

/**
 * What a member is called: `created_at`, `createdTime` and `created` are `createdAt`, `is_private` is `private`, `num_members` and
 * `member_count` are `members`, `project_id` is `project` where nothing else has the name.
 */
export function fieldName(name: string, kinds: readonly string[], isTime: boolean, siblings: readonly string[]): string {
  const own = allowedName(camel(name).slice(0, longestName));
  const free = (wanted: string) => {
    const made = camel(wanted);
    return made !== "" && siblings.every((one) => one === name || !sameField(camel(one), made)) ? allowedName(made, own) : own;
  };
  const [kind] = kinds;
  if (isTime) {
    const stem = name.replace(/(_time|Time|_at|At|_date|Date|_on)$/, "");
    if (/^(last_?)?(edited|updated|modified|changed)$/i.test(stem)) return free("updatedAt");
    return stem !== name || stem === "created" ? free(`${camel(stem)}At`) : own;
  }
  if (kind === "boolean" && /^(is_|is[A-Z])/.test(name))
    return free(camel(name.replace(/^is_?/, "").replace(/^./, (one) => one.toLowerCase())));
  if (kind === "integer" && /^num_/.test(name)) return free(name.slice("num_".length));
  if (kind === "integer" && /_count$/.test(name)) return free(plural(name.replace(/_count$/, "")));
  if (withoutIds(name) !== name) return free(withoutIds(name));
  return withoutKind.test(name) ? free(name.replace(withoutKind, "")) : own;
}

/** What a param is called: the thing that it names by its id (`issue_id` → `issue`, `label_ids` → `labels`), where no other is. */
export function paramName(name: string, siblings: readonly string[]): string {
  const many = withoutIds(name);
  const made = camel(many === name ? name.replace(withoutKind, "") : many);
  const isFree = siblings.every((one) => one === name || !sameField(camel(one), made));
  return allowedName(isFree ? made : camel(name), camel(name));
}

/** `assignee_ids` → `assignees`; other names stay as they are. */
function withoutIds(name: string): string {
  return /[a-z]_ids$/.test(name) ? plural(name.replace(/_ids$/, "")) : name;
}
