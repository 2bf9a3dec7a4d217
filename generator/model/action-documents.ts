import { nestedOuterPage } from "../../runtime/contract/index.ts";
import type { Named } from "../diagnostic/diagnostic.ts";
import type { BuildContext } from "./context.ts";
import { documentsOf, knownProblems, nodeCount } from "./documents.ts";
import type { PositionOf } from "./operation-context.ts";
import { largestRequest } from "./page.ts";
import { recordPlan } from "./record-plan.ts";
import type { OperationModel, ParamModel, TypeModel } from "./types.ts";

/**
 * Checks the document with default fields and the one with every field: graphql-js must find them valid, and neither may ask for
 * more nodes than the platform gives.
 */
export function checkDocuments(
  operation: Exclude<OperationModel, { kind: "rest" }>,
  returns: TypeModel,
  params: readonly ParamModel[],
  at: PositionOf,
  context: BuildContext,
): void {
  const { diagnostics, platform, connector, results } = context;
  if (platform.graphql === undefined) return;
  const plan = recordPlan(returns, (name) => context.types.get(name));
  const texts = documentsOf(operation.document, plan);
  const rest =
    operation.kind === "graphql-list" && operation.nested !== undefined
      ? documentsOf(operation.nested.rest, plan).everything
      : undefined;
  const { on } = returns;
  const lacks: readonly Named[] =
    on === undefined || platform.graphql.getType(on) !== undefined ? [] : [{ kind: "platform type", name: on }];
  let isValid = true;
  for (const text of rest === undefined ? [texts.defaults, texts.everything] : [texts.defaults, texts.everything, rest]) {
    const problems = knownProblems(text, context);
    if (problems.length > 0) isValid = false;
    for (const message of problems) {
      // A field of a record is reported where it is written.
      const [, deprecated] = /^The field (\w+\.\w+ is deprecated)/.exec(message) ?? [];
      if (deprecated !== undefined && diagnostics.has("SPEC008", deprecated)) continue;
      const [, type] = /^Cannot query field .* on type "(\w+)"/.exec(message) ?? [];
      const own: readonly Named[] = type === undefined ? lacks : [...lacks, { kind: "platform type", name: type }];
      diagnostics.error(at("graphql"), /deprecated/.test(message) ? "SPEC008" : "SPEC012", message, undefined, { lacks: own });
    }
  }
  const limits = connector.spec.platform.limits;
  if (limits === undefined || !isValid) return;
  const largest = largestRequest(operation, params)?.value ?? 1;
  const nested = operation.kind === "graphql-list" && operation.nested !== undefined;
  for (const [text, limit, what] of [
    [texts.defaults, limits.defaultNodes, "default fields"],
    [texts.everything, limits.nodes, "all fields"],
  ] as const) {
    const nodes = nodeCount(text, nested ? { first: nestedOuterPage, size: largest } : { first: largest }, results);
    if (nodes > limit)
      diagnostics.error(
        at("graphql"),
        "SPEC013",
        `with ${what} a page of ${largest} touches ${nodes} nodes, more than ${limit}`,
        "lower `first` of nested lists, or make fields `onRequest: true`",
      );
  }
}
