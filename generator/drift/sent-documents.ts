import {
  BreakingChangeType,
  type FieldNode,
  findBreakingChanges,
  type GraphQLSchema,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { SpecChange } from "../diff/change.ts";
import { usedByModel } from "../extract/used.ts";
import { documentProblems } from "../model/documents.ts";
import type { ConnectorModel } from "../model/types.ts";
import type { SpecParts } from "./spec-parts.ts";

/**
 * What graphql-js finds in the documents that are sent today, beside what the check of the spec has reported. The spec may be right for the
 * other schema and its documents still wrong, because the generator would make others: of a variable whose type is another, for example.
 * A field on the way to the record that may be null now, or has another type, makes no document wrong, and its answer another one.
 *
 * @param known what has been reported
 */
export function sentDocuments(
  model: ConnectorModel,
  before: GraphQLSchema,
  after: GraphQLSchema,
  known: readonly SpecChange[],
  places: SpecParts,
): SpecChange[] {
  const changed = new Map(
    findBreakingChanges(before, after)
      .filter(({ type }) => type === BreakingChangeType.FIELD_CHANGED_KIND)
      .map(({ description }) => [/^\w+\.\w+/.exec(description)?.[0] ?? "", description]),
  );
  const found = new Map<string, Set<string>>();
  const add = (action: string, message: string, isSame: (change: SpecChange) => boolean) => {
    if (!known.some((change) => change.actions?.includes(action) && isSame(change)))
      found.set(message, (found.get(message) ?? new Set()).add(action));
  };
  for (const { action, text } of usedByModel(model).documents) {
    for (const problem of documentProblems(after, text)) {
      const message = problem.replace(/ Did you mean .*$/s, "");
      add(action, message, (one) => isAbout(one.message, message));
    }
    if (changed.size > 0)
      for (const path of wayToRecord(text, before)) {
        const message = changed.get(path);
        if (message !== undefined) add(action, message, (one) => one.message === message);
      }
  }
  return [...found].map(([message, users]) => {
    const actions = [...users].sort();
    const [first = ""] = actions;
    const kind = / is deprecated\. /.test(message) ? "deprecated" : "breaking";
    return { kind, path: `${model.name} ${first}`, message, at: places.at(first), actions };
  });
}

/** The fields that a document names around the fragment of the record, whose own fields the check of the spec compares. */
function wayToRecord(text: string, schema: GraphQLSchema): ReadonlySet<string> {
  const document = parse(text, { noLocation: true });
  const paths = new Set<string>();
  if (!document.definitions.some(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)) return paths;
  const info = new TypeInfo(schema);
  const field = ({ name }: FieldNode) => void paths.add(`${info.getParentType()?.name}.${name.value}`);
  visit(document, visitWithTypeInfo(info, { FragmentDefinition: () => false, Field: field }));
  return paths;
}

/** Whether a reported message has every name that another one has in quotes. */
function isAbout(reported: string, message: string): boolean {
  const names = [...message.matchAll(/"([^"]*)"|\bfield (\w+)\.(\w+) is deprecated/g)].flatMap(([, ...found]) =>
    found.filter(Boolean),
  );
  return reported === message || (names.length > 0 && names.every((name) => reported.includes(name)));
}
