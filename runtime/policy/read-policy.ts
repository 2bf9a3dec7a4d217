import { createRequire } from "node:module";
import type { Document } from "yaml";
import { didYouMean } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { isVisibleLine } from "../base/visible-text.ts";
import type { Connector } from "../contract/index.ts";
import { changedFields, type Decision, decisions, type Policy, type Rule } from "./policy.ts";

const require = createRequire(import.meta.url);

/** Rules of one policy, aliases of one anchor, patterns of one part of a rule, and characters of a text. */
const most = { rules: 500, aliases: 10, patterns: 100, text: 200 } as const;

/** A policy that cannot be used. Each problem has its place in the file, what is wrong, and what is allowed. */
export class PolicyError extends Error {
  override readonly name = "PolicyError";
}

const named = ["key", "connector", "entity", "action", "fields"] as const;
const members = [...named, "params", "effect", "reason"];

/**
 * Reads a policy.
 *
 * @param path of the file, for messages
 * @param text YAML or JSON
 * @param connectors those whose entities, actions and params rules may name
 * @throws PolicyError with all problems
 */
export function readPolicy(path: string, text: string, connectors: readonly Connector[]): Policy {
  // Most services have no policy, and the parser has more modules than anything else here.
  const { parseDocument, LineCounter, isNode, visit }: typeof import("yaml") = require("yaml");
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  // A file without content has no node.
  const placeOf = (offset: number | undefined) => {
    const { line, col } = lineCounter.linePos(offset ?? 0);
    return `${path}:${line}:${col}`;
  };
  const [wrong] = document.errors;
  if (wrong !== undefined) throw new PolicyError(`${placeOf(wrong.pos[0])} is not YAML: ${wrong.message}`);
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) !== undefined) return;
      throw new PolicyError(`${placeOf(alias.range?.[0])} *${alias.source} must have an anchor &${alias.source} before it.`);
    },
    Scalar: (_key, { value, source, range }) => {
      if (value === null && source === "")
        throw new PolicyError(
          `${placeOf(range?.[0])} has no value. Leave the name out, or write null for the value null of a param.`,
        );
      if ((typeof value !== "number" && typeof value !== "boolean") || source === undefined || source === String(value)) return;
      throw new PolicyError(
        `${placeOf(range?.[0])} ${source} is read as ${value}. Put it in quotes: patterns are compared as they are written.`,
      );
    },
  });
  const faults = new Faults();
  const policy = policyOf(expanded(path, document), connectors, faults);
  if (!faults.any) return policy;
  const problems = faults.list.map((fault) => {
    const { pointer, message, allowed } = fault;
    const keys = pointer.split("/").slice(1);
    // A member that is missing has the place of what it is missing in.
    let node: unknown;
    for (let length = keys.length; !isNode(node) && length >= 0; length--) node = document.getIn(keys.slice(0, length), true);
    const place = placeOf(isNode(node) ? node.range?.[0] : undefined);
    const list = allowed === undefined || allowed.length === 0 ? "" : ` Allowed: ${allowed.slice(0, 40).join(", ")}.`;
    return `${place} ${pointer || "/"}: ${message}${didYouMean(fault)}${list}`;
  });
  throw new PolicyError(problems.join("\n"));
}

/** The values of a document with its aliases expanded. There is a limit, because a short text can expand to more than fits in memory. */
function expanded(path: string, document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: most.aliases });
  } catch {
    throw new PolicyError(`${path} must have less than ${most.aliases} aliases (*) of each anchor (&). Write the values out.`);
  }
}

function policyOf(given: unknown, connectors: readonly Connector[], faults: Faults): Policy {
  if (isObject(given)) faults.unknownNames([], "unknown_member", given, ["rules"], (name) => `A policy has no member "${name}".`);
  if (!isObject(given) || !Array.isArray(given["rules"])) {
    faults.add([], "wrong_type", "A policy must be a mapping with a list called rules.");
    return [];
  }
  const rules: readonly unknown[] = given["rules"];
  if (rules.length > most.rules) faults.add(["rules"], "out_of_range", `A policy must have at most ${most.rules} rules.`);
  return faults.each(rules.slice(0, most.rules), (rule, index) => ruleOf(rule, ["rules", index], connectors, faults));
}

/** @returns no rule where it says nothing about what to do */
function ruleOf(
  given: unknown,
  at: readonly (string | number)[],
  connectors: readonly Connector[],
  faults: Faults,
): readonly Rule[] {
  if (!isObject(given)) {
    faults.add(at, "wrong_type", "A rule must be a mapping.");
    return [];
  }
  faults.unknownNames(at, "unknown_member", given, members, (name) => `A rule has no member "${name}".`);
  const { effect, reason, params } = given;
  const decision: Decision | undefined = decisions.find((one) => one === effect);
  if (decision === undefined)
    faults.notAllowed([...at, "effect"], "A rule must say what to do with the write.", effect, decisions);
  if (reason !== undefined && (typeof reason !== "string" || reason.length > most.text || !isVisibleLine(reason)))
    faults.add([...at, "reason"], "wrong_form", `reason must be a line of at most ${most.text} visible characters.`);
  const parts = Object.fromEntries(
    named.flatMap((name) => {
      const patterns = given[name] === undefined ? undefined : namesOf(given[name], [...at, name], faults);
      return patterns === undefined ? [] : [[name, patterns] as const];
    }),
  );
  if (params !== undefined && !isObject(params)) faults.add([...at, "params"], "wrong_type", "params must be a mapping.");
  const values = Object.entries(isObject(params) ? params : {}).flatMap(([name, value]) => {
    const patterns = patternsOf(value, [...at, "params", name], faults);
    return patterns === undefined ? [] : [[name, patterns] as const];
  });
  checkNames(parts, values, at, connectors, faults);
  const rest = params === undefined ? {} : { params: Object.fromEntries(values) };
  const why = typeof reason === "string" ? { reason } : {};
  return decision === undefined ? [] : [{ ...parts, ...rest, effect: decision, ...why }];
}

/** The patterns that a member has: one, or a list of them. */
function patternsOf(given: unknown, at: readonly (string | number)[], faults: Faults): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const isPattern = (one: unknown) => one === null || ["string", "number", "boolean"].includes(typeof one);
  if (list.length > 0 && list.length <= most.patterns && list.every((one) => isPattern(one) && String(one).length <= most.text))
    return list.map(String);
  const what = `must be a text, or a list of 1 to ${most.patterns} texts, of at most ${most.text} characters each`;
  return faults.add(at, "wrong_type", `${at.at(-1)} ${what}.`);
}

/** The patterns that a member has for names, of which none is null or empty: a rule would be about nothing, and nobody would notice. */
function namesOf(given: unknown, at: readonly (string | number)[], faults: Faults): readonly string[] | undefined {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (!list.some((one) => one === null || one === "")) return patternsOf(given, at, faults);
  return faults.add(at, "empty", `${at.at(-1)} must not be empty: no write has such a name.`);
}

/** Refuses names that no write can have: with a wrong spelling, a rule would be about nothing, and nobody would notice. */
function checkNames(
  { connector, entity, action, fields }: Partial<Record<string, readonly string[]>>,
  params: readonly (readonly [string, readonly string[]])[],
  at: readonly (string | number)[],
  connectors: readonly Connector[],
  faults: Faults,
): void {
  const isPlain = (name: string) => !name.includes("*");
  const isMeant = (patterns: readonly string[] | undefined, name: string) =>
    patterns === undefined || !patterns.every(isPlain) || patterns.includes(name);
  // What is no connector's name may be the id of an instance that was added, of any connector.
  const own = connectors.filter(({ name }) => connector?.includes(name));
  const meant = connector === undefined || own.length < connector.length ? connectors : own;
  const entities = meant.flatMap((one) => Object.entries(one.entities));
  const writes = entities
    .filter(([name]) => isMeant(entity, name))
    .flatMap(([, one]) => Object.entries(one.actions).filter(([, { traits }]) => traits.writes));
  const actions = writes.filter(([name]) => isMeant(action, name)).map(([, one]) => one);
  const check = (name: string, what: string, given: readonly string[] | undefined, allowed: readonly string[]) => {
    for (const [index, one] of (given ?? []).entries())
      if (isPlain(one) && !allowed.includes(one))
        faults.unknown(
          [...at, name, ...(given?.length === 1 ? [] : [index])],
          `unknown_${name}`,
          `No write has ${what} "${one}".`,
          one,
          [...new Set(allowed)],
        );
  };
  const withWrites = entities.filter(([, one]) => Object.values(one.actions).some(({ traits }) => traits.writes));
  check(
    "entity",
    "the entity",
    entity,
    withWrites.map(([name]) => name),
  );
  // Where nothing has such a name, there is nothing to say about what belongs to it.
  if (writes.length === 0) return;
  check(
    "action",
    "the action",
    action,
    writes.map(([name]) => name),
  );
  if (actions.length === 0) return;
  const names = actions.flatMap((one) => one.params.filter((name) => name !== "fields"));
  const changed = actions.flatMap((one) => changedFields(one, Object.fromEntries(one.params.map((name) => [name, null]))));
  check("fields", "the field", fields, changed);
  for (const [name] of params)
    if (!names.includes(name))
      faults.unknown([...at, "params", name], "unknown_param", `No write has the param "${name}".`, name, [...new Set(names)]);
}
