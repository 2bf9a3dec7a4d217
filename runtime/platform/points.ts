import { type DocumentNode, type FragmentDefinitionNode, Kind, parse, type SelectionSetNode } from "graphql";
import { BoundedMap } from "../base/bounded-map.ts";
import type { RateLimitRules } from "../contract/index.ts";

/** Parsed documents that are kept, because few documents are used again and again. */
const mostDocuments = 500;
const documents = new BoundedMap<string, DocumentNode>(mostDocuments);

/**
 * What a call takes from the platform's hourly budget, by the rule that the platform publishes: each request for a connection costs the
 * same, a connection is requested once for each element of the lists around it, and the sum is rounded. GitHub's rule is in its
 * documentation, "Rate limits and query limits for the GraphQL API".
 *
 * @param variables those of the call, which say how many elements lists have at most
 */
export function pointsOf(
  document: string,
  variables: Readonly<Record<string, unknown>>,
  { connection, least }: NonNullable<RateLimitRules["cost"]>,
): number {
  const parsed = documents.getOrMake(document, () => parse(document, { noLocation: true }));
  return Math.max(least, Math.round(connectionsOf(parsed, variables) * connection));
}

function connectionsOf({ definitions }: DocumentNode, variables: Readonly<Record<string, unknown>>): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const count = (set: SelectionSetNode | undefined, times: number): number => {
    let sum = 0;
    for (const one of set?.selections ?? []) {
      if (one.kind === Kind.FRAGMENT_SPREAD) sum += count(fragments.get(one.name.value)?.selectionSet, times);
      else if (one.kind === Kind.INLINE_FRAGMENT) sum += count(one.selectionSet, times);
      else {
        const size = one.arguments?.find(({ name }) => name.value === "first" || name.value === "last")?.value;
        const elements =
          size?.kind === Kind.INT ? size.value : size?.kind === Kind.VARIABLE ? variables[size.name.value] : undefined;
        sum +=
          size === undefined ? count(one.selectionSet, times) : times + count(one.selectionSet, times * Number(elements ?? 1));
      }
    }
    return sum;
  };
  const operation = definitions.find((one) => one.kind === Kind.OPERATION_DEFINITION);
  return count(operation?.selectionSet, 1);
}
