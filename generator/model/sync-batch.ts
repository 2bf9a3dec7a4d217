import { batchText, documentText, type SyncBatch, variableParams } from "../../runtime/contract/index.ts";
import { anyName, type Facts } from "../diagnostic/diagnostic.ts";
import { batchDocument } from "./batch-document.ts";
import { knownProblems, nodeCount } from "./documents.ts";
import { largestRequest, paging } from "./page.ts";
import { recordPlan } from "./record-plan.ts";
import type { SyncEntry } from "./sync-entry.ts";
import type { ActionModel, OperationModel } from "./types.ts";

/** How many children of each parent the first call of a batch reads, unless the spec says otherwise. */
const defaultFirst = 20;

/** What a spec says of a batch. */
interface BatchSpec {
  /** Key of the entry that has it. */
  readonly key: "each" | "verification";
  readonly action: ActionModel;
  readonly params: Readonly<Record<string, string>>;
  readonly batch?: number | undefined;
  readonly first?: number | undefined;
}

/** With another parameter, the call may be one that reads for several parents. */
const ofCall = ({ entity }: ActionModel): Facts => ({ lacks: [{ kind: "parameter", name: anyName, of: entity }] });

/** What `batch` and `first` say. Undefined where there is no `batch`, or where it is wrong. */
export function batchOf({ key: at, action, params, batch: size, first }: BatchSpec, entry: SyncEntry): SyncBatch | undefined {
  const { error } = entry;
  const wrong = (key: string, message: string, hint?: string, facts = ofCall(action)) => {
    error([at, key], "SPEC016", message, hint, facts);
    return undefined;
  };
  if (size === undefined)
    return first === undefined
      ? undefined
      : wrong("first", "`first` has no effect without `batch`, which says how many parents one call reads for");
  const call = `${action.entity}.${action.name}`;
  const { operation } = action;
  if (operation.kind === "rest")
    return wrong(
      "batch",
      `${call} is a REST call, which cannot read for several parents`,
      "`batch` needs an action with `graphql`",
    );
  const largest = largestRequest(operation, action.params);
  if (first !== undefined && largest === undefined)
    return wrong("first", `${call} does not read pages, so \`first\` has no effect`, undefined, {
      lacks: [paging.sizeParam, paging.cursorParam].map((name) => ({ kind: "parameter", name })),
    });
  if (first !== undefined && largest !== undefined && first > largest.value)
    return wrong("first", `${call} cannot read ${first} records in one request`, `1 to ${largest.value}`);
  // A name that the action does not have is reported where it stands. With the one that is meant, it may read for several parents.
  if (!Object.keys(params).every((name) => action.params.some((one) => one.name === name))) return undefined;
  const document = batchDocument(operation.document, operation.path, ownVariables(operation, Object.keys(params)));
  if (document === undefined)
    return wrong(
      "batch",
      `${call} cannot read for several parents at once`,
      "one field on the way to the records must take all values that come from the parent",
    );
  if (document.alias === 0)
    return wrong(
      "batch",
      `${call} selects nothing above the parent, so a response cannot show whether the parent is gone or its whole scope`,
    );
  const nested = operation.kind === "graphql-list" ? operation.nested : undefined;
  const rest = nested && batchDocument(nested.rest, ["node"], ["parent", "inside"]);
  const batch: SyncBatch = {
    size,
    ...(largest === undefined ? {} : { first: first ?? Math.min(defaultFirst, largest.value) }),
    document,
    ...(rest === undefined ? {} : { rest }),
  };
  return checkBatch(batch, action, at, entry) ? batch : undefined;
}

/** Variables of a document whose values differ from parent to parent: parameters, what is made of them, and the cursor. */
function ownVariables(operation: Exclude<OperationModel, { kind: "rest" }>, params: readonly string[]): string[] {
  const made = Object.entries(operation.computed ?? {}).filter(([, plan]) =>
    variableParams(plan).some((name) => params.includes(name)),
  );
  return [...operation.variables.filter((name) => params.includes(name)), ...made.map(([name]) => name), paging.cursorParam];
}

/** Checks the batched documents as those of actions are checked: graphql-js must find them valid, and they must not ask for too much. */
function checkBatch(
  { size, first = 1, document, rest }: SyncBatch,
  action: ActionModel,
  at: BatchSpec["key"],
  { error, context }: SyncEntry,
): boolean {
  const { platform, connector, results } = context;
  if (platform.graphql === undefined) return false;
  const plan = recordPlan(action.returns, (name) => context.types.get(name));
  for (const one of rest === undefined ? [document] : [document, rest]) {
    const text = documentText(batchText(one, 2), plan, null);
    const problems = knownProblems(text, context);
    for (const message of problems) error([at, "batch"], "SPEC012", message, undefined, ofCall(action));
    if (problems.length > 0) return false;
  }
  const limit = connector.spec.platform.limits?.defaultNodes;
  const nodes = nodeCount(documentText(batchText(document, size), plan, null), { first, size: first }, results);
  if (limit === undefined || nodes <= limit) return true;
  error([at, "batch"], "SPEC013", `${size} parents with ${first} records each touch ${nodes} nodes, more than ${limit}`);
  return false;
}
