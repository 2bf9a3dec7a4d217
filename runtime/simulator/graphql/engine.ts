import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  parse,
  print,
  specifiedRules,
  validate,
} from "graphql";
import { BoundedMap } from "../../base/bounded-map.ts";
import type { Cost, GraphqlApi, GraphqlRefusals } from "./api.ts";
import { selectedFields } from "./document.ts";
import type { GraphqlResult, PlatformError } from "./platform-error.ts";
import { BadCursor, DataGap } from "./refusal.ts";
import { fieldResolver, type ResolverContext, typeResolver } from "./resolver.ts";

export interface GraphqlRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

/** A document that may run, or the errors that refuse it. */
export type Prepared =
  | { readonly kind: "refused"; readonly result: GraphqlResult }
  | { readonly kind: "ready"; readonly document: DocumentNode; readonly cost: Cost; readonly pageSizes: readonly number[] };

interface Checked {
  readonly document: DocumentNode;
  readonly errors: readonly PlatformError[];
}

const maxDocuments = 500;

/** Executes documents on the published schema of a platform, and refuses what the platform would refuse. */
export class GraphqlEngine<World, Viewer> {
  readonly #api: GraphqlApi<World, Viewer>;
  /** Documents that were parsed and validated, by their text. */
  readonly #checked = new BoundedMap<string, Checked>(maxDocuments);
  #built:
    | { readonly schema: GraphQLSchema; readonly resolve: GraphQLFieldResolver<unknown, ResolverContext<World, Viewer>> }
    | undefined;

  constructor(api: GraphqlApi<World, Viewer>) {
    this.#api = api;
  }

  get path(): string {
    return this.#api.path;
  }

  get refusals(): GraphqlRefusals {
    return this.#api.refusals;
  }

  /** Builds the schema, for which the first request would have to wait. */
  warm(): void {
    this.#parts();
  }

  /** Building a published schema takes a tenth of a second and more, so it is done once. */
  #parts() {
    this.#built ??= {
      schema: this.#api.schema(),
      resolve: this.#api.resolve ?? fieldResolver(this.#api.resolvers, this.#api.shared),
    };
    return this.#built;
  }

  /** Parses and validates a document. Both take longer than running it, so the outcome is kept for the next request with this text. */
  #check(query: string): Checked {
    return this.#checked.getOrMake(query, () => {
      const document = parse(query);
      const errors = validate(this.#parts().schema, document, specifiedRules).map((error) =>
        this.#api.refusals.document(error, document),
      );
      return { document, errors };
    });
  }

  /** Everything that a platform decides before it touches data. */
  prepare(request: GraphqlRequest, viewer: Viewer): Prepared {
    const refused = (errors: readonly PlatformError[], data?: null): Prepared => ({
      kind: "refused",
      result: data === null ? { data, errors } : { errors },
    });
    let document: DocumentNode;
    try {
      const outcome = this.#check(request.query);
      if (outcome.errors.length > 0) return refused(outcome.errors);
      document = outcome.document;
    } catch (error) {
      if (error instanceof GraphQLError) return refused([this.#api.refusals.syntax(error)]);
      throw error;
    }
    const operation = getOperationAST(document, request.operationName);
    if (operation === null || operation === undefined) return refused([this.#api.refusals.operation]);
    const variables = this.#variablesOf(operation, request.variables);
    if (Array.isArray(variables)) return refused(variables);
    const fields = selectedFields(this.#parts().schema, document, operation, variables);
    const errors = this.#api.check(fields, viewer);
    if (errors.length > 0) return refused(errors, null);
    const pageSizes = fields
      .flatMap((field) => [field.args["first"], field.args["last"]])
      .filter((size) => typeof size === "number");
    return { kind: "ready", document, cost: this.#api.cost(fields), pageSizes };
  }

  /**
   * Runs a prepared document.
   *
   * @throws DataGap where the simulation has no data
   */
  async run(document: DocumentNode, request: GraphqlRequest, context: ResolverContext<World, Viewer>): Promise<GraphqlResult> {
    const { schema, resolve } = this.#parts();
    const result: ExecutionResult = await execute({
      schema,
      document,
      rootValue: {},
      contextValue: context,
      variableValues: request.variables,
      operationName: request.operationName ?? null,
      fieldResolver: resolve,
      typeResolver,
    });
    if (result.errors === undefined) return { data: result.data };
    return { data: result.data, errors: result.errors.map((error) => this.#platformError(error)) };
  }

  #variablesOf(
    operation: OperationDefinitionNode,
    given: GraphqlRequest["variables"],
  ): Readonly<Record<string, unknown>> | PlatformError[] {
    const { errors, coerced } = getVariableValues(this.#parts().schema, operation.variableDefinitions ?? [], given);
    if (coerced !== undefined) return coerced;
    return (errors ?? []).map((error) => {
      const name = /"\$(\w+)"/.exec(error.message)?.[1] ?? "";
      const definition = operation.variableDefinitions?.find((one) => one.variable.name.value === name);
      const type = definition === undefined ? "" : print(definition.type);
      return this.#api.refusals.variable({ name, type, value: given[name] ?? null, error });
    });
  }

  #platformError(error: GraphQLError): PlatformError {
    const { originalError } = error;
    if (originalError instanceof DataGap) throw originalError;
    const place = { path: error.path ?? [], locations: error.locations ?? [] };
    if (originalError instanceof BadCursor) return { ...this.#api.refusals.cursor(originalError.cursor), ...place };
    const { thrown } = this.#api.refusals;
    // A bug of the simulation is an error that is not one of GraphQL.
    if (thrown !== undefined && (originalError === undefined || originalError === null || originalError instanceof GraphQLError))
      return { ...thrown(error), ...place };
    const { type } = error.extensions;
    // Refusals of the platform have a type; an error without one is a bug of the simulation.
    if (typeof type !== "string") throw originalError ?? error;
    return { type, ...place, message: error.message };
  }
}
