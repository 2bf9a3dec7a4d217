import { shown } from "../base/errors.ts";
import type { Faults } from "../base/faults.ts";
import { isObject } from "../base/is-object.ts";
import { dedups, type Entity, type FieldPlan, type RecordPlan, type SemanticPlan, semanticLimits } from "../contract/index.ts";
import { type Condition, QueryParser } from "../search/index.ts";
import { chooseFields } from "./field-choice.ts";
import type { SemanticRequest } from "./request.ts";
import { storedPlan } from "./stored-plan.ts";

/** Parameters of a search by meaning, and the members of `semantic`, in the order in which messages list them. */
const params: readonly string[] = ["semantic", "limit", "cursor", "fields", "explain"];
const members: readonly string[] = ["field", "prompt", "filter", "context_size", "dedup", "min_similarity"];

const at = ["params", "semantic"] as const;

/** Parameters of cached search that a search by meaning does not have, and why. */
const excluded: Readonly<Record<string, string>> = {
  query: "query and semantic exclude each other: a search has one of them. A filter goes into semantic.filter.",
  sort: "Hits are ordered by their similarity to the prompt, so there is no sort.",
  count: "Every record is similar to a prompt to some degree, so there is nothing to count.",
  groupBy: "Hits are ordered by their similarity to the prompt, so they are not grouped.",
};

/**
 * Checks the parameters of a search by meaning.
 *
 * @param given with a member `semantic`
 * @returns the request; it may be used only when no fault was added
 */
export function checkSemanticParams(
  name: string,
  entity: Entity,
  given: Readonly<Record<string, unknown>>,
  faults: Faults,
): SemanticRequest | undefined {
  const plan = entity.store.semantic;
  if (plan === undefined)
    return faults.add(
      at,
      "not_allowed",
      `No field of ${name} can be searched by meaning. Use query with keyword, fuzzy or like.`,
    );
  for (const [param, why] of Object.entries(excluded))
    if (Object.hasOwn(given, param)) faults.add(["params", param], "not_allowed", why);
  const unknown = (param: string) => `A search by meaning has no parameter "${shown(param)}".`;
  faults.unknownNames(["params"], "unknown_param", given, params, unknown, Object.keys(excluded));
  const { semantic, limit = semanticLimits.default, cursor, explain = false } = given;
  if (!isObject(semantic)) return faults.add(at, "wrong_type", "semantic must be an object with field and prompt.");
  if (Object.hasOwn(semantic, "sort")) faults.add([...at, "sort"], "not_allowed", String(excluded["sort"]));
  faults.unknownNames(at, "unknown_param", semantic, members, (member) => `semantic has no member "${shown(member)}".`, ["sort"]);

  const field = readField(semantic["field"], name, entity, plan, faults);
  const prompt = readPrompt(semantic["prompt"], faults);
  const parser = new QueryParser(name, entity.store.fields, faults);
  const filter: Condition | undefined =
    semantic["filter"] === undefined ? undefined : parser.filter(semantic["filter"], [...at, "filter"]);
  const window = plan.fields[field ?? ""]?.window ?? 0;
  const { context_size: contextSize = window, dedup = "max", min_similarity: minSimilarity } = semantic;
  if (field !== undefined && !isWhole(contextSize, 1, window))
    faults.add([...at, "context_size"], "out_of_range", `context_size must be a whole number from 1 to ${window}.`);
  if (dedup !== "max" && dedup !== "none")
    faults.notAllowed([...at, "dedup"], `dedup must be one of ${dedups.join(", ")}.`, dedup, dedups);
  const similar = minSimilarity === undefined || (typeof minSimilarity === "number" && Math.abs(minSimilarity) <= 1);
  if (!similar) faults.add([...at, "min_similarity"], "out_of_range", "min_similarity must be a number from -1 to 1.");
  if (!isWhole(limit, 1, semanticLimits.most))
    faults.add(["params", "limit"], "out_of_range", `limit must be a whole number from 1 to ${semanticLimits.most}.`);
  if (typeof explain !== "boolean") faults.add(["params", "explain"], "wrong_type", "explain must be true or false.");
  if (cursor !== undefined && typeof cursor !== "string")
    faults.add(["params", "cursor"], "wrong_type", "cursor must be a string.");
  const fields = chooseFields(hitPlan(entity, plan), given["fields"], faults);
  if (faults.any || field === undefined || prompt === undefined) return undefined;
  return {
    kind: "semantic",
    entity: name,
    prompt,
    cursor: typeof cursor === "string" && cursor !== "" ? cursor : undefined,
    search: {
      field,
      ...(filter === undefined ? {} : { filter }),
      dedup: dedup === "none" ? "none" : "max",
      contextSize: Number(contextSize),
      ...(minSimilarity === undefined ? {} : { minSimilarity: Number(minSimilarity) }),
      limit: Number(limit),
      fields,
      explain: explain === true,
    },
    warnings: parser.warnings,
  };
}

function readField(given: unknown, name: string, entity: Entity, plan: SemanticPlan, faults: Faults): string | undefined {
  const allowed = Object.keys(plan.fields);
  const place = [...at, "field"];
  if (given === undefined) return faults.add(place, "missing_param", "field is required.", allowed);
  if (typeof given !== "string") return faults.add(place, "wrong_type", "field must be a string.", allowed);
  if (Object.hasOwn(plan.fields, given)) return given;
  const known = Object.hasOwn(entity.record.fields, given);
  const message = known ? `"${given}" cannot be searched by meaning.` : `${name} has no field "${given.slice(0, 80)}".`;
  return faults.unknown(place, known ? "not_allowed" : "unknown_field", message, given, allowed);
}

function readPrompt(given: unknown, faults: Faults): string | undefined {
  const place = [...at, "prompt"];
  if (given === undefined) return faults.add(place, "missing_param", "prompt is required.");
  if (typeof given !== "string") return faults.add(place, "wrong_type", "prompt must be a string.");
  if (given.trim() === "") return faults.add(place, "out_of_range", "prompt must not be empty.");
  if (!given.isWellFormed())
    return faults.add(place, "invalid_text", "prompt contains half of a surrogate pair, which is not a valid character.");
  return given;
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

const hitPlans = new WeakMap<Entity, RecordPlan>();

/** The fields that a hit can have: the members of the spec's hit, which win, and the fields of the cached record. */
function hitPlan(entity: Entity, { hit }: SemanticPlan): RecordPlan {
  let plan = hitPlans.get(entity);
  if (plan === undefined) {
    const record = storedPlan(entity);
    const own: Readonly<Record<string, FieldPlan>> = Object.fromEntries(Object.keys(hit).map((name) => [name, {}]));
    plan = { ...record, name: `A hit of ${record.name}`, fields: { ...record.fields, ...own } };
    hitPlans.set(entity, plan);
  }
  return plan;
}
