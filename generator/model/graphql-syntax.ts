import { type ArgumentNode, Kind, parse, type SelectionNode } from "graphql";

// Makes the parts of GraphQL syntax trees that paging adds to a selection.

const variable = (name: string) => ({ kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } }) as const;
export const argument = (name: string, value: string): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: name },
  value: variable(value),
});
export const selection = (text: string): readonly SelectionNode[] => {
  const [operation] = parse(`{${text}}`, { noLocation: true }).definitions;
  return operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
};
