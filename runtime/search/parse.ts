import { type Fault, maxFaults, pointer, shown } from "../base/errors.ts";
import { type FaultPath, Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { suggestion } from "../base/suggestion.ts";
import { codePointLength, snakeCase } from "../base/text.ts";
import {
  connectives,
  type FieldOperator,
  fieldOperators,
  type SearchField,
  type SearchType,
  searchLimits,
  type Warning,
  warning,
} from "../contract/index.ts";
import type { Condition, SortKey, Test } from "./condition.ts";
import { instantOf } from "./instant.ts";
import { negations } from "./operators.ts";
import type { Comparable } from "./value.ts";

type Fields = Readonly<Record<string, SearchField>>;

/** Every name that a condition may use. */
export const operatorNames: readonly string[] = [...Object.keys(fieldOperators), ...Object.keys(connectives)];

const typeNames: Readonly<Record<SearchType, string>> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  timestamp: "an ISO 8601 date, or date and time with offset",
};

const spellings = new WeakMap<Fields, ReadonlyMap<string, string>>();

/** The names of fields by both spellings, made once for each entity. */
function bothSpellings(fields: Fields): ReadonlyMap<string, string> {
  const known = spellings.get(fields);
  if (known !== undefined) return known;
  const own = Object.keys(fields);
  const names = new Map([...own.map((name) => [snakeCase(name), name] as const), ...own.map((name) => [name, name] as const)]);
  spellings.set(fields, names);
  return names;
}

/**
 * Reads filters and sorts of one entity, and adds a fault with its place in the request for everything that is wrong. The results must
 * not be used when a fault was added.
 */
export class QueryParser {
  /** Warnings of values that the spec does not list. They are allowed, but probably no record has them. */
  readonly warnings: Warning[] = [];
  readonly #fields: Fields;
  readonly #entity: string;
  /** Both spellings of every name. It is a Map because an object would also find names such as `constructor`. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #faults: Faults;
  #nodes = 0;

  /** @param faults where faults are added; a list of its own by default */
  constructor(entity: string, fields: Fields, faults: Faults = new Faults()) {
    this.#faults = faults;
    this.#entity = entity;
    this.#fields = fields;
    this.#names = bothSpellings(fields);
  }

  get faults(): readonly Fault[] {
    return this.#faults.list;
  }

  /** Several operators in one object, and several fields under one operator, are joined by *and*. */
  filter(given: unknown, at: FaultPath, depth = 1): Condition | undefined {
    if (!isObject(given))
      return this.#faults.add(at, "wrong_type", "A condition must be an object: operator, then field, then value.");
    if (depth > searchLimits.depth)
      return this.#faults.add(at, "out_of_range", `A filter may be at most ${searchLimits.depth} conditions deep.`);
    const entries = Object.entries(given);
    if (entries.length === 0)
      return this.#faults.add(
        at,
        "empty",
        "A condition must not be empty. Leave the filter out to find all records.",
        operatorNames,
      );
    return joined(this.#faults.each(entries, ([name, operand]) => this.#part(name, operand, [...at, name], depth)));
  }

  /** `[{"updatedAt": "desc"}, …]` */
  sort(given: unknown, at: FaultPath): SortKey[] {
    if (!Array.isArray(given)) this.#faults.add(at, "wrong_type", 'sort must be a list, such as [{"updatedAt": "desc"}].');
    else if (given.length > searchLimits.sortKeys)
      this.#faults.add(at, "out_of_range", `A sort may have at most ${searchLimits.sortKeys} keys.`);
    else return firstOfEach(given.flatMap((one: unknown, index) => this.#sortKey(one, [...at, index])));
    return [];
  }

  /** `["state"]`: one or two fields, of whose values there are few. */
  groupBy(given: unknown, at: FaultPath): string[] {
    if (!Array.isArray(given) || given.length === 0 || given.length > searchLimits.groupFields) {
      this.#faults.add(at, "wrong_type", `groupBy is a list of 1 to ${searchLimits.groupFields} fields, such as ["state"].`);
      return [];
    }
    const names = given.flatMap((name: unknown, index) => this.#groupField(name, [...at, index]) ?? []);
    if (new Set(names).size < names.length) this.#faults.add(at, "not_allowed", "groupBy names a field twice.");
    return names;
  }

  #groupField(given: unknown, at: FaultPath): string | undefined {
    if (typeof given !== "string") return this.#faults.add(at, "wrong_type", "A field to group by is a name.");
    const name = this.#field(given, at);
    if (name === undefined || this.#groups(name)) return name;
    const allowed = Object.keys(this.#fields).filter((field) => this.#groups(field));
    const reason = this.#fields[name]?.list === undefined ? "it has too many values" : "it is a list";
    return this.#faults.add(at, "not_allowed", `Records cannot be grouped by ${name}: ${reason}.`, allowed);
  }

  /**
   * Long texts and times are different in nearly every record, and a record with a list would be in several groups. `count` is the name
   * of another member of a group.
   */
  #groups(name: string): boolean {
    const field = this.#fields[name];
    return (
      field !== undefined && field.list === undefined && field.index !== "text" && field.type !== "timestamp" && name !== "count"
    );
  }

  #sortKey(given: unknown, at: FaultPath): SortKey[] {
    const entries = isObject(given) ? Object.entries(given) : [];
    const [entry] = entries;
    if (entry === undefined || entries.length > 1) {
      this.#faults.add(at, "wrong_type", 'A sort key must be an object with one field, such as {"updatedAt": "desc"}.');
      return [];
    }
    const [name, direction] = entry;
    const field = this.#field(name, [...at, name]);
    if (direction !== "asc" && direction !== "desc") {
      this.#faults.add([...at, name], "not_allowed", "A direction must be asc or desc.", ["asc", "desc"]);
      return [];
    }
    if (field === undefined) return [];
    if (this.#fields[field]?.list === undefined) return [{ field, direction }];
    const allowed = Object.keys(this.#fields).filter((other) => this.#fields[other]?.list === undefined);
    this.#faults.add([...at, name], "not_allowed", `Records cannot be sorted by ${field}, because it is a list.`, allowed);
    return [];
  }

  #part(name: string, operand: unknown, at: FaultPath, depth: number): Condition[] {
    if (!this.#count(1, at)) return [];
    if (name === "not") {
      const condition = this.filter(operand, at, depth + 1);
      return condition === undefined ? [] : [{ kind: "not", condition }];
    }
    if (name === "and" || name === "or") return this.#list(name, operand, at, depth);
    if (Object.hasOwn(fieldOperators, name)) return this.#tests(name as FieldOperator, operand, at);
    const turned = this.#names.has(name) ? " Write a condition as operator, then field, then value." : "";
    this.#faults.unknown(at, "unknown_operator", `There is no operator "${shown(name)}".${turned}`, name, operatorNames);
    return [];
  }

  #list(kind: "and" | "or", operand: unknown, at: FaultPath, depth: number): Condition[] {
    if (!Array.isArray(operand) || operand.length === 0) {
      this.#faults.add(at, Array.isArray(operand) ? "empty" : "wrong_type", `${kind} takes a list of at least one condition.`);
      return [];
    }
    // Reading one more than allowed is enough to see that there are too many.
    const looked = operand.slice(0, searchLimits.nodes + 1);
    const conditions = this.#faults.each(looked, (one: unknown, index) => found(this.filter(one, [...at, index], depth + 1)));
    const [only] = conditions;
    return conditions.length === 1 && only !== undefined ? [only] : [{ kind, conditions }];
  }

  #tests(operator: FieldOperator, operand: unknown, at: FaultPath): Condition[] {
    const entries = isObject(operand) ? Object.entries(operand) : undefined;
    if (entries === undefined || entries.length === 0) {
      this.#faults.add(
        at,
        entries === undefined ? "wrong_type" : "empty",
        `${operator} takes an object with at least one field and its value, such as {"${operator}": {"${this.#anyField(operator)}": …}}.`,
      );
      return [];
    }
    if (!this.#count(entries.length - 1, at)) return [];
    return this.#faults.each(entries, ([name, value]) => found(this.#test(operator, name, value, [...at, name])));
  }

  /** Counts further conditions. Returns false, and adds a fault the first time, when there are too many. */
  #count(more: number, at: FaultPath): boolean {
    const before = this.#nodes;
    this.#nodes += more;
    if (this.#nodes <= searchLimits.nodes) return true;
    if (before <= searchLimits.nodes)
      this.#faults.add(at, "out_of_range", `A filter may have at most ${searchLimits.nodes} conditions.`);
    return false;
  }

  #test(operator: FieldOperator, name: string, given: unknown, at: FaultPath): Condition | undefined {
    const field = this.#field(name, at);
    const spec = field === undefined ? undefined : this.#fields[field];
    if (field === undefined || spec === undefined) return undefined;
    const { type } = spec;
    const { operand: kind } = fieldOperators[operator];
    if (!fits(operator, spec)) {
      const what = spec.list === undefined ? typeNames[type] : "a list";
      return this.#faults.add(
        at,
        "operator_not_allowed",
        `${operator} is not allowed for ${field}, which is ${what}.`,
        fitting(spec),
      );
    }
    const operand =
      kind === "list"
        ? this.#values(operator, type, given, at)
        : kind === "text"
          ? this.#text(given, at)
          : this.#value(type, kind === "nullable", given, at);
    if (operand === undefined) return undefined;
    if (kind === "nullable") this.#knownValue(field, operand as Comparable, at);
    if (kind === "list" && spec.values !== undefined)
      for (const [index, value] of (operand as Comparable[]).entries()) this.#knownValue(field, value, [...at, index]);
    return testOrNegation(operator, field, operand);
  }

  /** Warns of a value that the spec does not list. It is not refused, because the platform may have newer values than the spec. */
  #knownValue(field: string, value: Comparable, at: FaultPath): void {
    const values = this.#fields[field]?.values;
    if (typeof value !== "string" || values === undefined || values.includes(value) || this.warnings.length >= maxFaults) return;
    const advice = suggestion(value, values);
    const hint = advice === undefined ? "." : `; ${advice}`;
    this.warnings.push(warning(pointer(at), "unknown_value", `${field} has no value "${shown(value)}"${hint}`));
  }

  #values(operator: FieldOperator, type: SearchType, given: unknown, at: FaultPath): Comparable[] | undefined {
    if (!Array.isArray(given) || given.length === 0)
      return this.#faults.add(
        at,
        Array.isArray(given) ? "empty" : "wrong_type",
        `${operator} takes a list of at least one value.`,
      );
    if (given.length > searchLimits.values)
      return this.#faults.add(at, "out_of_range", `${operator} takes at most ${searchLimits.values} values.`);
    const values: Comparable[] = [];
    for (const [index, one] of (given as readonly unknown[]).entries()) {
      // A filter has thousands of values: the place of one is made only where something is wrong with it.
      const value = one === null ? null : read(type, one);
      if (value !== undefined && (typeof value !== "string" || value.isWellFormed())) values.push(value);
      else this.#value(type, true, one, [...at, index]);
      if (this.#faults.full) break;
    }
    return values.length < given.length ? undefined : values;
  }

  #value(type: SearchType, nullable: boolean, given: unknown, at: FaultPath): Comparable | undefined {
    if (given === null && nullable) return null;
    if (type === "string" && typeof given === "string") return this.#wellFormed(given, at);
    const value = read(type, given);
    if (value !== undefined) return value;
    return this.#faults.add(at, "wrong_type", `The value must be ${typeNames[type]}${nullable ? ", or null" : ""}.`);
  }

  #text(given: unknown, at: FaultPath): string | undefined {
    if (typeof given !== "string") return this.#faults.add(at, "wrong_type", "The value must be a string.");
    if (codePointLength(given) > searchLimits.text)
      return this.#faults.add(at, "out_of_range", `The value may have at most ${searchLimits.text} characters.`);
    return this.#wellFormed(given, at);
  }

  #wellFormed(given: string, at: FaultPath): string | undefined {
    if (given.isWellFormed()) return given;
    return this.#faults.add(at, "invalid_text", "The value contains half of a surrogate pair, which is not a valid character.");
  }

  #field(name: string, at: FaultPath): string | undefined {
    const found = this.#names.get(name);
    if (found !== undefined) return found;
    const message = `${this.#entity} has no searchable field "${shown(name)}".`;
    return this.#faults.unknown(at, "unknown_field", message, name, Object.keys(this.#fields));
  }

  /** A field that the operator may be used with, for an example in a message. */
  #anyField(operator: FieldOperator): string {
    return Object.entries(this.#fields).find(([, spec]) => fits(operator, spec))?.[0] ?? "field";
  }
}

/** Makes the condition of an operator. The operand has been checked to be of the operator's kind. */
function testOrNegation(operator: FieldOperator, field: string, operand: unknown): Condition {
  const negated = Object.entries(negations).find(([name]) => name === operator)?.[1];
  const test = { kind: "test", operator: negated ?? operator, field, operand } as Test;
  return negated === undefined ? test : { kind: "not", condition: test };
}

/** Names of the operators that are allowed for a field. */
export function fitting(field: Pick<SearchField, "type" | "list">): FieldOperator[] {
  return (Object.keys(fieldOperators) as FieldOperator[]).filter((operator) => fits(operator, field));
}

function fits(operator: FieldOperator, { type, list }: Pick<SearchField, "type" | "list">): boolean {
  const { types, lists } = fieldOperators[operator];
  return types.some((one) => one === type) && (list === undefined || lists);
}

/** Drops a field that the sort names a second time. It cannot change the order, and would only make the cursor longer. */
function firstOfEach(keys: readonly SortKey[]): SortKey[] {
  return keys.filter(({ field }, index) => keys.findIndex((key) => key.field === field) === index);
}

/** What was read, as a list: it is empty where a fault was found. */
function found<Read>(read: Read | undefined): readonly Read[] {
  return read === undefined ? [] : [read];
}

function joined(conditions: readonly Condition[]): Condition | undefined {
  const [only] = conditions;
  return conditions.length > 1 ? { kind: "and", conditions } : only;
}

/** An operand's value in the form in which it is compared; undefined when it is not of the type, because nothing is converted. */
function read(type: SearchType, given: unknown): Comparable | undefined {
  switch (type) {
    case "string":
      return typeof given === "string" ? given : undefined;
    case "integer":
      return Number.isSafeInteger(given) ? Number(given) + 0 : undefined;
    case "number":
      return typeof given === "number" && Number.isFinite(given) ? given + 0 : undefined;
    case "boolean":
      return typeof given === "boolean" ? given : undefined;
    case "timestamp":
      return typeof given === "string" ? instantOf(given) : undefined;
  }
}
