import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
} from "graphql";
import { boundedParam, type Draft, docOf, exampleOf, longestId, snake } from "./draft.ts";
import { paramName } from "./open-api-names.ts";

interface Verb {
  readonly action: string;
  readonly effect?: string;
}

/** Verbs in names of mutations, and the action that each stands for. */
const verbs: Readonly<Record<string, Verb>> = {
  create: { action: "create" },
  add: { action: "create" },
  update: { action: "update" },
  delete: { action: "delete", effect: "idempotent" },
  merge: { action: "merge", effect: "once" },
  archive: { action: "archive", effect: "idempotent" },
  unarchive: { action: "unarchive", effect: "idempotent" },
};

/** Drafts actions of the mutations of a schema, by their names: `issueCreate` or `createIssue`. */
export class GraphqlWrites {
  readonly #schema: GraphQLSchema;
  readonly #scalar: (name: string) => string;
  readonly #result: (payload: GraphQLObjectType) => string | undefined;

  /** @param result the type of what a mutation gives beside a record */
  constructor(
    schema: GraphQLSchema,
    scalar: (name: string) => string,
    result: (payload: GraphQLObjectType) => string | undefined,
  ) {
    this.#schema = schema;
    this.#scalar = scalar;
    this.#result = result;
  }

  /** The writes of one type of record. */
  actions(type: GraphQLObjectType): Draft {
    const actions: Draft = {};
    for (const field of Object.values(this.#schema.getMutationType()?.getFields() ?? {})) {
      if (field.deprecationReason) continue;
      const verb = verbOf(field.name, type.name);
      if (verb === undefined || Object.hasOwn(actions, verb.action)) continue;
      const made = this.#action(field, type, verb);
      if (made !== undefined) actions[verb.action] = made;
    }
    return actions;
  }

  #action(field: GraphQLField<unknown, unknown>, type: GraphQLObjectType, { action, effect }: Verb): Draft | undefined {
    const payload = getNamedType(field.type);
    if (!isObjectType(payload)) return undefined;
    const record = Object.values(payload.getFields()).find((one) => getNamedType(one.type) === type);
    // A delete returns no record. Any other mutation without a record does something else.
    const returns = record === undefined && action === "delete" ? this.#result(payload) : undefined;
    if (record === undefined && returns === undefined) return undefined;
    const params: Draft = {};
    const args: string[] = [];
    for (const argument of sentArguments(field)) {
      const input = getNullableType(argument.type);
      args.push(`${argument.name}: $${argument.name}`);
      if (isInputObjectType(input)) {
        const names = Object.keys(input.getFields()).map(snake);
        for (const one of Object.values(input.getFields())) {
          const short = /Ids?$/.test(one.name) ? paramName(snake(one.name), names) : one.name;
          const own = Object.hasOwn(params, short) ? one.name : short;
          const entry = this.#param(one.type, docOf(one.description), isRequiredInputField(one), one.name);
          if (entry !== undefined && !one.deprecationReason && /^[a-z][A-Za-z0-9]*$/.test(one.name))
            params[own] = { ...entry, ...(own === one.name ? {} : { name: one.name }) };
          else if (isRequiredInputField(one)) return undefined;
        }
      } else {
        const entry = this.#param(argument.type, docOf(argument.description), true, argument.name);
        if (entry === undefined) return undefined;
        params[argument.name] = { ...entry, example: exampleOf(entry, {}) };
      }
    }
    return {
      doc: docOf(field.description),
      params,
      graphql: `${field.name}${args.length === 0 ? "" : `(${args.join(", ")})`} { ${record === undefined ? "...record" : `${record.name} { ...record }`} }`,
      ...(effect === undefined ? {} : { effect }),
      ...(returns === undefined ? {} : { returns }),
    };
  }

  /** A parameter of a scalar or of a list of scalars; undefined for any other type. */
  #param(
    type: GraphQLField<unknown, unknown>["type"] | Parameters<typeof getNamedType>[0],
    doc: string,
    required: boolean,
    name: string,
  ): Draft | undefined {
    const named = getNamedType(type);
    if (!isScalarType(named)) return undefined;
    const scalar = this.#scalar(named.name);
    if (scalar === "object") return undefined;
    const nullable = isNonNullType(type) ? "" : "?";
    const list = isListType(getNullableType(type as GraphQLField<unknown, unknown>["type"]));
    const written = list ? `[${scalar}]` : scalar;
    const bounds = /^(id|string)$/.test(scalar) && /(^i|I)d$/.test(name) ? { least: 1, most: longestId } : {};
    return boundedParam(`${written}${required ? "" : nullable}`, { ...(required ? { required: true } : {}), doc }, bounds);
  }
}

/** The arguments that a mutation requires. Of one that requires none, the input, which every call has all the same. */
function sentArguments({ args }: GraphQLField<unknown, unknown>) {
  const required = args.filter(isRequiredArgument);
  return required.length > 0 ? required : args.filter((one) => isInputObjectType(one.type)).slice(0, 1);
}

function verbOf(mutation: string, type: string) {
  const words = snake(mutation).split("_");
  const noun = snake(type);
  const [first = "", last = ""] = [words[0], words.at(-1)];
  if (Object.hasOwn(verbs, last) && words.slice(0, -1).join("_") === noun) return verbs[last];
  if (Object.hasOwn(verbs, first) && words.slice(1).join("_") === noun) return verbs[first];
  return undefined;
}
