import type { Action } from "../contract/index.ts";

/** What a rule does with a write. */
export const decisions = ["allow", "reject", "require_approval"] as const;
export type Decision = (typeof decisions)[number];

/** Texts in which `*` stands for any characters. */
type Patterns = readonly string[];

/** A rule of the policy. It is about the writes that fit all of its parts; a part that is absent fits every write. */
export interface Rule {
  /** Ids or names of keys and clients. */
  readonly key?: Patterns;
  /** Names of connectors or ids of connector instances. */
  readonly connector?: Patterns;
  readonly entity?: Patterns;
  readonly action?: Patterns;
  /** Names of fields. The rule is about writes that set one of them; a rule that allows, about writes that set no others. */
  readonly fields?: Patterns;
  /** Values of params by their names. In a rule that allows, all values of a list have to fit; in another one, any of them. */
  readonly params?: Readonly<Record<string, Patterns>>;
  readonly effect: Decision;
  /** Why, in words for callers. */
  readonly reason?: string;
}

export type Policy = readonly Rule[];

/** Who writes what, as far as rules without `fields` and `params` look at it. */
interface WriteNames {
  /** Id and name of the key or client. */
  readonly caller: readonly string[];
  /** Name of the connector and id of the instance. */
  readonly connector: readonly string[];
  readonly entity: string;
  readonly action: string;
}

/** A write that a policy decides about. */
export interface PolicyWrite extends WriteNames {
  readonly params: Readonly<Record<string, unknown>>;
  /** The params that change something, among those of the write. */
  readonly fields: readonly string[];
}

/** A write of the past, of which no values are known. */
export interface PastWrite extends WriteNames {
  /** Undefined where the connector does not have it any longer. */
  readonly write: Action | undefined;
  /** The params that changed something; undefined where they were not noted. */
  readonly fields: readonly string[] | undefined;
}

/** The rule that decides, and its place in the policy, counted from 1; undefined where none is about the write, which is allowed. */
export type Decided = { readonly rule: Rule; readonly number: number } | undefined;

/** The first rule that is about a write decides. */
export function decide(policy: Policy, write: PolicyWrite): Decided {
  const index = policy.findIndex((rule) => fitsNames(rule, write) && fitsFields(rule, write) && fitsParams(rule, write));
  const rule = policy[index];
  return rule === undefined ? undefined : { rule, number: index + 1 };
}

/**
 * The rules that may decide about a write of the past: those that look at what is not known of it, up to the first that certainly fits. The
 * last element is undefined where no rule may be about the write.
 */
export function mayDecide(policy: Policy, write: PastWrite): readonly Decided[] {
  const found: Decided[] = [];
  for (const [index, rule] of policy.entries()) {
    if (!fitsNames(rule, write) || cannotFit(rule, write)) continue;
    found.push({ rule, number: index + 1 });
    if (looksAtUnknown(rule, write) === undefined) return found;
  }
  return [...found, undefined];
}

/** What a rule looks at that is not known of a write of the past. */
export function looksAtUnknown({ fields, params = {} }: Rule, write: PastWrite): "fields" | "values" | undefined {
  if (fields !== undefined && write.fields === undefined) return "fields";
  return Object.keys(params).length > 0 ? "values" : undefined;
}

/** Whether the names of the fields of a write of the past say that a rule is not about it. */
function cannotFit(rule: Rule, { write, fields }: PastWrite): boolean {
  if (fields === undefined) return false;
  const settable = write === undefined ? [] : changedFields(write, Object.fromEntries(write.params.map((name) => [name, null])));
  const isUnset = (name: string) => settable.includes(name) && !fields.includes(name);
  return !fitsFields(rule, { fields }) || Object.keys(rule.params ?? {}).some(isUnset);
}

/**
 * The params of a write that change something: those that an update may change, and otherwise all but those in the address, which say
 * where. `fields` chooses what the response has.
 */
export function changedFields({ changes, operation }: Action, params: Readonly<Record<string, unknown>>): readonly string[] {
  const isPlace = (name: string) => operation.kind === "rest" && operation.path.includes(`{${name}}`);
  return Object.keys(params).filter((name) => name !== "fields" && (changes?.includes(name) ?? !isPlace(name)));
}

function fitsNames(rule: Rule, { caller, connector, entity, action }: WriteNames): boolean {
  const isAbout = (patterns: Patterns | undefined, texts: readonly string[]) =>
    patterns === undefined || texts.some((text) => fits(patterns, text, rule.effect === "allow"));
  return (
    isAbout(rule.key, caller) &&
    isAbout(rule.connector, connector) &&
    isAbout(rule.entity, [entity]) &&
    isAbout(rule.action, [action])
  );
}

function fitsFields({ fields, effect }: Rule, write: Pick<PolicyWrite, "fields">): boolean {
  if (fields === undefined) return true;
  const isNamed = (name: string) => fits(fields, name, effect === "allow");
  return effect === "allow" ? write.fields.length > 0 && write.fields.every(isNamed) : write.fields.some(isNamed);
}

function fitsParams({ params = {}, effect }: Rule, write: PolicyWrite): boolean {
  return Object.entries(params).every(([name, patterns]) => {
    if (!Object.hasOwn(write.params, name)) return false;
    const isNamed = (text: string) => fits(patterns, text, effect === "allow");
    const texts = textsOf(write.params[name]);
    return effect === "allow" ? texts.every(isNamed) : texts.some(isNamed);
  });
}

/** The texts that a value is compared by: those of its elements where it is a list, and JSON for an object. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? [""] : value.flatMap(textsOf);
  return [typeof value === "object" && value !== null ? JSON.stringify(value) : String(value)];
}

/**
 * Whether one of the patterns fits a text. Many platforms take names in upper and lower case as the same, so only a rule that allows
 * compares exactly: in doubt, a write is stopped.
 */
function fits(patterns: Patterns, text: string, exactly: boolean): boolean {
  return patterns.some((pattern) => (exactly ? like(pattern, text) : like(pattern.toLowerCase(), text.toLowerCase())));
}

/** Looks for the pieces between the stars one after the other, so that no pattern takes long. */
function like(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
