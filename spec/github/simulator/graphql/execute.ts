import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
  print,
  specifiedRules,
  validate,
} from "graphql";
import { resolverTables, sharedTables } from "../resolve/tables.ts";
import { selectedFields } from "./document.ts";
import { type Cost, costOf, limitErrors } from "./limits.ts";
import type { GraphqlResult, PlatformError } from "./platform-error.ts";
import { DataGap } from "./refusal.ts";
import { type Context, fieldResolver, typeResolver } from "./resolver.ts";
import { publicSchema } from "./schema.ts";
import { schemaError, syntaxError } from "./schema-error.ts";
import { scopeErrors } from "./scopes.ts";

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

/** A document that may run, or the errors that refuse it. */
export type Prepared =
  | { readonly kind: "refused"; readonly result: GraphqlResult }
  | { readonly kind: "ready"; readonly document: DocumentNode; readonly cost: Cost; readonly pageSizes: readonly number[] };

const maxDocuments = 500;
const checked = new Map<string, { readonly document: DocumentNode; readonly errors: readonly PlatformError[] }>();

/** Parsing and validation against a schema of this size cost more than running; the same document comes again and again. */
function check(query: string): { readonly document: DocumentNode; readonly errors: readonly PlatformError[] } {
  const known = checked.get(query);
  if (known !== undefined) return known;
  const document = parse(query);
  const errors = validate(publicSchema(), document, specifiedRules).map((error) => schemaError(error, document));
  if (checked.size >= maxDocuments) checked.clear();
  checked.set(query, { document, errors });
  return { document, errors };
}

/** Everything that the platform decides before it touches data. */
export function prepare(request: GraphqlRequest, token: Context["viewer"]["token"]): Prepared {
  const refused = (errors: readonly PlatformError[], data?: null): Prepared => ({
    kind: "refused",
    result: data === null ? { data, errors } : { errors },
  });
  let document: DocumentNode;
  try {
    const outcome = check(request.query);
    if (outcome.errors.length > 0) return refused(outcome.errors);
    document = outcome.document;
  } catch (error) {
    if (error instanceof GraphQLError) return refused([syntaxError(error)]);
    throw error;
  }
  const operation = getOperationAST(document, request.operationName);
  if (operation === null || operation === undefined) return refused([{ message: "An operation name is required" }]);
  const variables = variablesOf(operation, request.variables);
  if (Array.isArray(variables)) return refused(variables);
  const fields = selectedFields(publicSchema(), document, operation, variables);
  const scopes = scopeErrors(fields, token);
  if (scopes.length > 0) return refused(scopes, null);
  const limits = limitErrors(fields);
  if (limits.length > 0) return refused(limits, null);
  const pageSizes = fields
    .flatMap((field) => [field.args["first"], field.args["last"]])
    .filter((size) => typeof size === "number");
  return { kind: "ready", document, cost: costOf(fields), pageSizes };
}

function variablesOf(
  operation: OperationDefinitionNode,
  given: GraphqlRequest["variables"],
): Readonly<Record<string, unknown>> | PlatformError[] {
  const { errors, coerced } = getVariableValues(publicSchema(), operation.variableDefinitions ?? [], given);
  if (coerced !== undefined) return coerced;
  return (errors ?? []).map((error) => {
    const name = /"\$(\w+)"/.exec(error.message)?.[1] ?? "";
    const definition = operation.variableDefinitions?.find((one) => one.variable.name.value === name);
    const type = definition === undefined ? "" : print(definition.type);
    return {
      message: `Variable $${name} of type ${type} was provided invalid value`,
      locations: error.locations ?? [],
      extensions: { value: given[name] ?? null, problems: [{ path: [], explanation: error.message }] },
    };
  });
}

const resolve = fieldResolver(resolverTables, sharedTables);

/** Runs a prepared document. Throws where the simulation has no data. */
export async function run(document: DocumentNode, request: GraphqlRequest, context: Context): Promise<GraphqlResult> {
  const result: ExecutionResult = await execute({
    schema: publicSchema(),
    document,
    rootValue: {},
    contextValue: context,
    variableValues: request.variables,
    operationName: request.operationName ?? null,
    fieldResolver: resolve,
    typeResolver,
  });
  if (result.errors === undefined) return { data: result.data };
  const errors = result.errors.map(platformError);
  return { data: result.data, errors };
}

function platformError(error: GraphQLError): PlatformError {
  const { originalError } = error;
  if (originalError instanceof DataGap) throw originalError;
  const { type, ...extensions } = error.extensions;
  // Anything without a type is a fault of the simulation, not a refusal of the platform.
  if (typeof type !== "string") throw originalError ?? error;
  return {
    type,
    path: error.path ?? [],
    ...(Object.keys(extensions).length > 0 ? { extensions } : {}),
    locations: error.locations ?? [],
    message: error.message,
  };
}
