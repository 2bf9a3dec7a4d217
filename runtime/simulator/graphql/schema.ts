import { buildSchema, GraphQLError, type GraphQLSchema, isScalarType, type ValueNode } from "graphql";

/**
 * Builds a schema from its published text.
 *
 * @param scalars by the name of a scalar, which texts it accepts; a scalar that is not named accepts anything, as the text alone says
 * nothing of its values
 */
export function schemaOf(text: string, scalars: Readonly<Record<string, (text: string) => boolean>>): GraphQLSchema {
  // Published texts break rules that do not matter here, such as naming a field twice.
  const schema = buildSchema(text, { assumeValidSDL: true, noLocation: true });
  for (const [name, accepts] of Object.entries(scalars)) restrict(schema, name, accepts);
  return schema;
}

function restrict(schema: GraphQLSchema, name: string, accepts: (text: string) => boolean): void {
  const scalar = schema.getType(name);
  if (!isScalarType(scalar)) throw new Error(`the schema has no scalar ${name}`);
  const check = (value: unknown) => {
    if (typeof value === "string" && accepts(value)) return value;
    throw new GraphQLError(`Could not coerce value ${JSON.stringify(value)} to ${name}`);
  };
  scalar.parseValue = check;
  scalar.parseLiteral = (node: ValueNode) => check(node.kind === "StringValue" ? node.value : undefined);
}
