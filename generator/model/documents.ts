import {
  type DocumentNode,
  type FieldNode,
  FieldsOnCorrectTypeRule,
  type FragmentDefinitionNode,
  FragmentsOnCompositeTypesRule,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownTypeNamesRule,
  NoDeprecatedCustomRule,
  PossibleFragmentSpreadsRule,
  parse,
  ScalarLeafsRule,
  type SelectionSetNode,
  specifiedRules,
  UniqueArgumentNamesRule,
  ValuesOfCorrectTypeRule,
  validate,
} from "graphql";
import { nearest } from "../../runtime/base/nearest.ts";
import { documentText, type FieldTree, type RecordPlan } from "../../runtime/contract/index.ts";
import { keyOf, type Results } from "../cache/results.ts";
import type { PlatformDescription } from "./platform-description.ts";

/** What a document is checked against, and the results of earlier checks. */
export interface CheckContext {
  readonly platform: Pick<PlatformDescription, "key" | "graphql">;
  readonly results: Results;
}

/** A choice of every field and of every field inside: the largest document that a caller can ask for. */
function everyField(plan: RecordPlan): FieldTree {
  return new Map(
    Object.entries(plan.fields).map(([name, field]) => [name, field.of === undefined ? null : everyField(field.of())]),
  );
}

/** The documents of an operation: the one that is sent when no `fields` are given, and the largest one. */
export function documentsOf(operation: string, plan: RecordPlan): { defaults: string; everything: string } {
  return { defaults: documentText(operation, plan, null), everything: documentText(operation, plan, everyField(plan)) };
}

/** Rules for a selection to which variables, paging and the fragment `record` have not been added yet. */
const selectionRules = [
  FieldsOnCorrectTypeRule,
  FragmentsOnCompositeTypesRule,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownTypeNamesRule,
  NoDeprecatedCustomRule,
  PossibleFragmentSpreadsRule,
  ScalarLeafsRule,
  UniqueArgumentNamesRule,
  ValuesOfCorrectTypeRule,
];

/**
 * Faults that graphql-js finds in an author's selection, with their positions.
 *
 * @param text the selection as an operation
 * @param document what the text was parsed to
 */
export function selectionProblems(
  text: string,
  document: DocumentNode,
  { platform, results }: CheckContext,
): readonly GraphQLError[] {
  const key = keyOf("selection", platform.key, text);
  if (platform.graphql === undefined || results.find(key) === true) return [];
  const problems = withoutMisspelled(validate(platform.graphql, document, selectionRules));
  if (problems.length === 0) results.keep(key, true);
  return problems;
}

/** What `documentProblems` finds in a document, or has found before. Without a schema it is nothing. */
export function knownProblems(text: string, { platform, results }: CheckContext): readonly string[] {
  if (platform.graphql === undefined) return [];
  const key = keyOf("document", platform.key, text);
  return results.find<readonly string[]>(key) ?? results.keep(key, documentProblems(platform.graphql, text));
}

/** Messages of graphql-js for a document, by the specification's rules and the one against deprecated fields. */
export function documentProblems(schema: GraphQLSchema, text: string): readonly string[] {
  try {
    const found = validate(schema, parse(text, { noLocation: true }), [...specifiedRules, NoDeprecatedCustomRule]);
    return withoutMisspelled(found).map(({ message }) => message);
  } catch (thrown) {
    if (thrown instanceof GraphQLError) return [thrown.message];
    throw thrown;
  }
}

/** Leaves out that an argument or input field is missing where an unknown one is spelled much like it. */
function withoutMisspelled(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const unknown = errors.flatMap(
    ({ message }) => /^(?:Unknown argument|Field) "(\w+)" (?:on field|is not defined)/.exec(message)?.[1] ?? [],
  );
  const missing = (message: string) => /"(?:\w+\.)?(\w+)" of (?:required )?type .* not provided\.$/.exec(message)?.[1];
  return errors.filter(({ message }) => nearest(missing(message) ?? "", unknown) === undefined);
}

/**
 * How many nodes a document may touch when its variables for sizes have these values, counted as GitHub counts: each connection's `first`,
 * times those of the connections around it (docs.github.com, "Rate limits and query limits for the GraphQL API").
 */
export function nodeCount(text: string, sizes: Readonly<Record<string, number>>, results: Results): number {
  const key = keyOf("nodes", text, JSON.stringify(sizes));
  return results.find<number>(key) ?? results.keep(key, countNodes(text, sizes));
}

function countNodes(text: string, sizes: Readonly<Record<string, number>>): number {
  const document: DocumentNode = parse(text, { noLocation: true });
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const count = (set: SelectionSetNode | undefined, times: number): number => {
    let total = 0;
    for (const one of set?.selections ?? []) {
      if (one.kind === Kind.FRAGMENT_SPREAD) total += count(fragments.get(one.name.value)?.selectionSet, times);
      else if (one.kind === Kind.INLINE_FRAGMENT) total += count(one.selectionSet, times);
      else {
        const first = firstOf(one, sizes);
        total += first === undefined ? count(one.selectionSet, times) : times * first + count(one.selectionSet, times * first);
      }
    }
    return total;
  };
  const operation = document.definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  return count(operation?.selectionSet, 1);
}

function firstOf(field: FieldNode, sizes: Readonly<Record<string, number>>): number | undefined {
  const value = field.arguments?.find((one) => one.name.value === "first")?.value;
  if (value?.kind === Kind.INT) return Number(value.value);
  return value?.kind === Kind.VARIABLE ? sizes[value.name.value] : undefined;
}
