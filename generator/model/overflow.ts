import {
  type ArgumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  Kind,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  stripIgnoredCharacters,
} from "graphql";
import { documentText, type OverflowPlan, overflowText, type RecordPlan } from "../../runtime/contract/index.ts";
import { freshName } from "./batch-document.ts";
import type { BuildContext } from "./context.ts";
import { knownProblems, nodeCount } from "./documents.ts";
import { argument } from "./graphql-syntax.ts";
import { pascal } from "./names.ts";
import { paging } from "./page.ts";
import { recordPlan } from "./record-plan.ts";
import { isStored } from "./search.ts";
import type { EntityModel, FieldModel } from "./types.ts";

/** How many lists one call reads on, unless their elements would be more than a document may ask for. */
const largestBatch = 50;

/** How the platform finds one object by its id: the root field, and the types of its argument and of what it returns. */
interface Lookup {
  readonly field: string;
  readonly type: string;
  readonly answers: string;
}

/**
 * How a sync reads the rest of a record's searchable lists. The document is made from the record's own selections, each of which gets the
 * cursor of the next page.
 *
 * @returns undefined where no searchable list has pages, or where the platform cannot find a record by its id
 */
export function overflowOf(entity: EntityModel, context: BuildContext): OverflowPlan | undefined {
  const schema = context.platform.graphql;
  const { record } = entity;
  const lists = record.fields.filter(({ plan }) => plan.next !== undefined);
  const id = record.fields.find((field) => isStored(field) && field.plan.select === "id" && field.plan.read === "id");
  const lookup = schema === undefined || record.on === undefined ? undefined : lookupOf(record.on, schema);
  if (schema === undefined || lists.length === 0 || id === undefined || lookup === undefined) return undefined;
  const plan = recordPlan(record, (name) => context.types.get(name));
  const mark = freshName("N", JSON.stringify(lists.map((field) => field.plan.select)));
  const full: OverflowPlan = {
    id: id.name,
    batch: largestBatch,
    frame: [`query ${pascal(entity.name)}Overflow(`, "){", "}"],
    variables: `$id_${mark}:${lookup.type}$after_${mark}:String`.split(mark),
    lists: Object.fromEntries(lists.map((field) => [field.name, selectionOf(field, plan, lookup, mark)])),
  };
  if (!isValid(full, lists, record.name, context)) return undefined;
  return { ...full, batch: fittingBatch(full, context) };
}

/**
 * Looks for a root field that needs only an `id` and is not deprecated: best one that answers the type itself, else one for all that have
 * such an id.
 */
function lookupOf(on: string, schema: GraphQLSchema): Lookup | undefined {
  const type = schema.getType(on);
  if (!isObjectType(type)) return undefined;
  const found = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field) => {
    if (field.deprecationReason !== undefined && field.deprecationReason !== null) return [];
    const [only, ...others] = field.args.filter(isRequiredArgument);
    const answers: GraphQLNamedType = getNamedType(field.type);
    const isList = isListType(isNonNullType(field.type) ? field.type.ofType : field.type);
    const fits = answers === type || type.getInterfaces().some((one) => one === answers);
    if (only?.name !== "id" || others.length > 0 || isList || !fits || !isLeafType(getNamedType(only.type))) return [];
    return [{ field: field.name, type: String(only.type), answers: answers.name }];
  });
  return found.find(({ answers }) => answers === on) ?? found[0];
}

/** Selects the next page of one list of the record that a numbered id names. */
function selectionOf({ name, plan }: FieldModel, record: RecordPlan, lookup: Lookup, mark: string): string[] {
  const [fragment] = parse(documentText("", record, new Map([[name, null]])), { noLocation: true }).definitions;
  if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error("the selection of a record is no fragment");
  const path = (plan.next ?? "").split(".").slice(0, -2);
  const next = continued(fragment.selectionSet, path, `after_${mark}`);
  const inner = lookup.answers === record.on ? print(next) : `{... on ${record.on}${print(next)}}`;
  return stripIgnoredCharacters(`p${mark}:${lookup.field}(id:$id_${mark})${inner}`).split(mark);
}

/** The same selection with the cursor of the next page, in every fragment that has the list, and with the largest page. */
function continued(set: SelectionSetNode, [key, ...deeper]: readonly string[], cursor: string): SelectionSetNode {
  const one = (node: SelectionNode): SelectionNode => {
    if (node.kind === Kind.INLINE_FRAGMENT)
      return { ...node, selectionSet: continued(node.selectionSet, key === undefined ? [] : [key, ...deeper], cursor) };
    if (node.kind !== Kind.FIELD || (node.alias ?? node.name).value !== key) return node;
    if (deeper.length === 0) return paged(node, cursor);
    return node.selectionSet === undefined ? node : { ...node, selectionSet: continued(node.selectionSet, deeper, cursor) };
  };
  return { ...set, selections: set.selections.map(one) };
}

function paged(field: FieldNode, cursor: string): FieldNode {
  const first: ArgumentNode = {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: "first" },
    value: { kind: Kind.INT, value: String(paging.largestPage) },
  };
  const others = (field.arguments ?? []).filter(({ name }) => name.value !== "first");
  return { ...field, arguments: [first, argument("after", cursor), ...others] };
}

/** Checks a document that reads every list, as those of actions are checked. */
function isValid(plan: OverflowPlan, lists: readonly FieldModel[], record: string, context: BuildContext): boolean {
  const { platform, diagnostics, positions } = context;
  if (platform.graphql === undefined) return false;
  let valid = true;
  for (const { name } of lists) {
    const text = overflowText(plan, [name, name]);
    const problems = knownProblems(text, context);
    const at = positions.get(record)?.(name, "search");
    for (const message of problems) {
      valid = false;
      if (at !== undefined) diagnostics.error(at, "SPEC012", message);
    }
  }
  return valid;
}

function fittingBatch(plan: OverflowPlan, { connector, results }: BuildContext): number {
  const limit = connector.spec.platform.limits?.defaultNodes;
  const nodes = Math.max(...Object.keys(plan.lists).map((list) => nodeCount(overflowText(plan, [list]), {}, results)));
  return limit === undefined ? plan.batch : Math.max(1, Math.min(plan.batch, Math.floor(limit / nodes)));
}
