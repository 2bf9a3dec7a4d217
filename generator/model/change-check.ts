import {
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type SelectionNode,
  stripIgnoredCharacters,
  TypeInfo,
  type VariableNode,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { ChangeCheckPlan } from "../../runtime/contract/index.ts";
import type { SourcePosition } from "../diagnostic/diagnostic.ts";
import type { BuildContext } from "./context.ts";
import { knownProblems } from "./documents.ts";
import { hasExample } from "./scope-example.ts";

/** The `changeCheck` of one entity's sync, with the position where it is written. */
interface Written {
  readonly entity: string;
  readonly text: string;
  readonly at: SourcePosition;
}

/**
 * Makes the document that tells of a whole scope what has changed: the scope's `changeCheck`, with the change checks of all entities where
 * it has `...changeCheck`. Undefined where the scope has none, or where something about it is wrong.
 */
export function changeCheckOf(scope: string, context: BuildContext): ChangeCheckPlan | undefined {
  const { connector, diagnostics, platform } = context;
  const plan = connector.spec.scopes?.[scope];
  const written = writtenChangeChecks(scope, context);
  if (plan?.changeCheck === undefined) {
    const origin = connector.source.at(["scopes", scope]);
    for (const { at } of written)
      diagnostics.error({ ...at, origin }, "SPEC016", `\`changeCheck\` has no effect, because the scope "${scope}" has none`);
    return undefined;
  }
  const place = connector.source.at(["scopes", scope, "changeCheck"]);
  if (platform.graphql === undefined) {
    diagnostics.error(place, "SPEC016", "`changeCheck` needs a GraphQL API");
    return undefined;
  }
  if (written.length === 0) {
    if (connector.complete) diagnostics.error(place, "SPEC005", `the change check of the scope "${scope}" is never used`);
    return undefined;
  }
  // A scope whose example does not fit may lack the variables of its change check.
  if (!hasExample(plan)) return undefined;
  const before = diagnostics.count;
  const around = parsed(plan.changeCheck, place, context);
  if (around.length > 0) checkFields(around, [typename], plan.params, place, context);
  // What is wrong with the scope's own part would be wrong with every entity's.
  const isRight = around.length > 0 && diagnostics.count === before;
  const fields = written.flatMap(({ entity, text, at }) => {
    const fields = parsed(text, at, context).map((one) => prefixed(one, entity));
    if (fields.length > 0 && isRight) checkFields(around, fields, plan.params, at, context);
    return [{ entity, fields }];
  });
  const path = around.length === 0 ? undefined : pathTo(around);
  if (around.length > 0 && path === undefined)
    diagnostics.error(
      place,
      "SPEC012",
      "the change check does not select `...changeCheck`, where the change checks of entities go",
    );
  if (diagnostics.count > before || path === undefined) return undefined;
  const { document, variables } = documentOf(
    around,
    fields.flatMap((one) => one.fields),
    plan.params,
    context,
  );
  const keys: Record<string, string[]> = {};
  for (const { entity, fields: own } of fields) keys[entity] = [...(keys[entity] ?? []), ...own.map(keyOfField)];
  return { document, variables, path, keys };
}

/** The change checks of a scope's entities. An entity has one only where every way in which the scope fills it has one. */
function writtenChangeChecks(scope: string, { connector, diagnostics }: BuildContext): Written[] {
  return connector.entities.flatMap(({ spec, source }) => {
    const entries = (spec.sync ?? []).map((one, index) => ({ one, index })).filter(({ one }) => one.scope === scope);
    const changeChecks = entries.flatMap(({ one, index }) =>
      one.changeCheck === undefined
        ? []
        : [{ entity: spec.entity, text: one.changeCheck, at: source.at(["sync", index, "changeCheck"]) }],
    );
    const [first] = changeChecks;
    if (first !== undefined && changeChecks.length < entries.length)
      diagnostics.error(
        first.at,
        "SPEC016",
        `every sync of ${spec.entity} from the scope "${scope}" needs a change check, or none`,
      );
    return changeChecks;
  });
}

/** The selections of a text; none, and reported, when it is not GraphQL. */
function parsed(text: string, at: SourcePosition, { diagnostics }: BuildContext): readonly SelectionNode[] {
  try {
    const [operation] = parse(`{${text}}`, { noLocation: true, maxTokens: 2000 }).definitions;
    if (operation?.kind === Kind.OPERATION_DEFINITION) return operation.selectionSet.selections;
  } catch (thrown) {
    diagnostics.error(at, "SPEC011", thrown instanceof GraphQLError ? thrown.message : String(thrown));
  }
  return [];
}

/** Fields of several entities stand beside each other, so each gets a name of its own. */
function prefixed(node: SelectionNode, entity: string): SelectionNode {
  return node.kind === Kind.FIELD ? { ...node, alias: { kind: Kind.NAME, value: `${entity}_${keyOfField(node)}` } } : node;
}

function keyOfField(node: SelectionNode): string {
  return node.kind === Kind.FIELD ? (node.alias ?? node.name).value : "";
}

/** Response keys from the root to the place of `...changeCheck`. */
function pathTo(selections: readonly SelectionNode[]): string[] | undefined {
  for (const one of selections) {
    if (one.kind === Kind.FRAGMENT_SPREAD && one.name.value === "changeCheck") return [];
    if (one.kind === Kind.FRAGMENT_SPREAD) continue;
    const below = pathTo(one.selectionSet?.selections ?? []);
    if (below !== undefined) return one.kind === Kind.FIELD ? [keyOfField(one), ...below] : below;
  }
  return undefined;
}

/** A field that every type has. */
const typename: SelectionNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } };

/** Checks one part of a change check alone, the scope's own or an entity's, so that a fault is reported where it is written. */
function checkFields(
  around: readonly SelectionNode[],
  fields: readonly SelectionNode[],
  params: readonly string[],
  at: SourcePosition,
  context: BuildContext,
): void {
  const { platform, diagnostics } = context;
  if (platform.graphql === undefined) return;
  const wrong = fields.find((one) => one.kind !== Kind.FIELD);
  if (wrong !== undefined)
    diagnostics.error(at, "SPEC012", "a change check may select only fields, not fragments, at its beginning");
  const { document } = documentOf(around, fields, params, context);
  for (const message of knownProblems(document, context))
    diagnostics.error(at, /deprecated/.test(message) ? "SPEC008" : "SPEC012", message);
}

/** The whole operation. A variable has the name of a scope's parameter, and the type that the schema wants where it stands. */
function documentOf(
  around: readonly SelectionNode[],
  fields: readonly SelectionNode[],
  params: readonly string[],
  { platform }: BuildContext,
): { readonly document: string; readonly variables: readonly string[] } {
  const operation: OperationDefinitionNode = visit(
    {
      kind: Kind.OPERATION_DEFINITION,
      operation: OperationTypeNode.QUERY,
      name: { kind: Kind.NAME, value: "ChangeCheck" },
      selectionSet: { kind: Kind.SELECTION_SET, selections: around },
    },
    {
      SelectionSet: (node) => ({
        ...node,
        selections: node.selections.flatMap((one) =>
          one.kind === Kind.FRAGMENT_SPREAD && one.name.value === "changeCheck" ? fields : [one],
        ),
      }),
    },
  );
  const types = new Map<string, string>();
  if (platform.graphql !== undefined) {
    const info = new TypeInfo(platform.graphql);
    const note = ({ name }: VariableNode) => void types.set(name.value, String(info.getInputType() ?? "String"));
    visit(operation, visitWithTypeInfo(info, { Variable: note }));
  }
  const variables = params.filter((name) => types.has(name));
  const declared = variables.map((name) => `$${name}:${types.get(name)}`).join(" ");
  const [start = "", ...rest] = print(operation).split("ChangeCheck");
  const text = `${start}ChangeCheck${declared === "" ? "" : `(${declared})`}${rest.join("ChangeCheck")}`;
  return { document: stripIgnoredCharacters(text), variables };
}
