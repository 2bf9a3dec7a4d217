import { type ASTNode, type DocumentNode, type GraphQLError, Kind, visit } from "graphql";
import type { PlatformError } from "../../../simulator/graphql/platform-error.ts";

interface Wording {
  readonly code: string;
  readonly match: RegExp;
  /** Makes GitHub's message of the parts of that of graphql-js; without it the response has the message of graphql-js. */
  readonly say?: (parts: readonly string[]) => string;
}

/** Messages of graphql-js with the code and the words that GitHub has for them. */
const wordings: readonly Wording[] = [
  {
    code: "undefinedField",
    match: /^Cannot query field "(.+?)" on type "(.+?)"/,
    say: ([field, type]) => `Field '${field}' doesn't exist on type '${type}'`,
  },
  {
    code: "missingRequiredArguments",
    match: /^Field "(.+?)" argument "(.+?)" of type .* is required/,
    say: ([field, name]) => `Field '${field}' is missing required arguments: ${name}`,
  },
  {
    code: "argumentNotAccepted",
    match: /^Unknown argument "(.+?)" on field "(?:.+\.)?(.+?)"/,
    say: ([name, field]) => `Field '${field}' doesn't accept argument '${name}'`,
  },
  {
    code: "variableNotUsed",
    match: /^Variable "\$(.+?)" is never used/,
    say: ([name]) => `Variable $${name} is declared by anonymous query but not used`,
  },
  {
    code: "variableNotDefined",
    match: /^Variable "\$(.+?)" is not defined/,
    say: ([name]) => `Variable $${name} is used by anonymous query but not declared`,
  },
  {
    code: "variableMismatch",
    match: /^Variable "\$(.+?)" of type "(.+?)" used in position expecting type "(.+?)"/,
    say: ([name, given, wanted]) => `Type mismatch on variable $${name} and argument (${given} / ${wanted})`,
  },
  { code: "selectionMismatch", match: /must have a selection of subfields|must not have a selection/ },
  { code: "fieldConflict", match: /^Fields "(.+?)" conflict/, say: ([name]) => `Field '${name}' has a field conflict` },
  {
    code: "undefinedType",
    match: /^Unknown type "(.+?)"/,
    say: ([name]) => `No such type ${name}, so it can't be a fragment condition`,
  },
  { code: "useAndDefineFragment", match: /^Unknown fragment|^Fragment .* is never used/ },
  { code: "cannotSpreadFragment", match: /can never be of type/ },
  { code: "undefinedDirective", match: /^Unknown directive/ },
  { code: "argumentLiteralsIncompatible", match: /cannot represent|Expected value of type|does not exist in|Could not coerce/ },
];

/** A refusal of the document itself: `extensions.code`, no `type`, a path that starts at the operation. */
export function schemaError(error: GraphQLError, document: DocumentNode): PlatformError {
  const wording = wordings.find((candidate) => candidate.match.test(error.message));
  const parts = wording?.match.exec(error.message)?.slice(1) ?? [];
  const node = error.nodes?.[0];
  return {
    path: node === undefined ? ["query"] : pathTo(document, node),
    extensions: { code: wording?.code ?? "invalidDocument" },
    locations: error.locations ?? [],
    message: wording?.say?.(parts) ?? error.message,
  };
}

export function syntaxError(error: GraphQLError): PlatformError {
  return { message: error.message.replace(/^Syntax Error: /, "Parse error: "), locations: error.locations ?? [] };
}

function pathTo(document: DocumentNode, wanted: ASTNode): string[] {
  const path: string[] = [];
  let found: string[] | undefined;
  const label = (node: ASTNode): string | undefined => {
    if (node.kind === Kind.OPERATION_DEFINITION) return [node.operation, node.name?.value].filter(Boolean).join(" ");
    if (node.kind === Kind.FRAGMENT_DEFINITION) return `fragment ${node.name.value}`;
    if (node.kind === Kind.INLINE_FRAGMENT)
      return node.typeCondition === undefined ? "..." : `... on ${node.typeCondition.name.value}`;
    if (node.kind === Kind.FIELD) return node.alias?.value ?? node.name.value;
    return node.kind === Kind.ARGUMENT ? node.name.value : undefined;
  };
  visit(document, {
    enter(node) {
      const name = label(node);
      if (name !== undefined) path.push(name);
      if (node === wanted) found = [...path];
    },
    leave(node) {
      if (label(node) !== undefined) path.pop();
    },
  });
  return found ?? ["query"];
}
