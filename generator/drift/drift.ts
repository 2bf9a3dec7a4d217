import { Results } from "../cache/results.ts";
import { type Diagnostic, type DiagnosticCode, Diagnostics } from "../diagnostic/diagnostic.ts";
import { type SpecChange, type SpecChangeKind, sortedChanges } from "../diff/change.ts";
import { isExtract } from "../extract/graphql-extract.ts";
import { isOpenApiText, loadConnector } from "../load/load.ts";
import { connectorModel, type SpecFolder, withReference } from "../model/connector.ts";
import { readPlatform } from "../model/read-platform.ts";
import { graphqlAdditions } from "./graphql-additions.ts";
import { restAdditions } from "./rest-additions.ts";
import { sentDocuments } from "./sent-documents.ts";
import { placeText, SpecParts } from "./spec-parts.ts";

export interface Drift {
  /** Name of the connector; undefined when its spec has problems. */
  readonly connector: string | undefined;
  /** What the other description means for the connector, the breaking changes first. Each names its place in the spec and its actions. */
  readonly changes: readonly SpecChange[];
  /** What could not be compared, in a sentence for readers. */
  readonly notes: readonly string[];
  /** Why nothing was compared: problems of the spec, or of a description that cannot be read. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What a diagnostic means when a spec without faults is checked against another description. The codes that are not here report
 * consequences, such as a type that nothing reads any more, of a fault with a code that is.
 */
const meanings: Readonly<Partial<Record<DiagnosticCode, SpecChangeKind>>> = {
  SPEC006: "breaking",
  SPEC007: "breaking",
  SPEC008: "deprecated",
  SPEC012: "breaking",
  SPEC014: "breaking",
  SPEC015: "breaking",
  SPEC020: "breaking",
  SPEC021: "compatible",
  SPEC022: "compatible",
};

const cutNote = "New fields and arguments are not listed: the spec names an extract of the schema. --from names a whole one.";

/**
 * Compares what a connector uses of its platform with another description of the platform, mostly a newer one. The spec is checked against
 * that description as the generator does it; beside what this finds, members that are new in what the connector reads and calls are listed.
 *
 * @param against text of the other description: a GraphQL schema (SDL) or an OpenAPI description
 * @param from text of the description since which members are new; default: the one that the spec names
 * @throws Error when the connector has no API of this kind, or `against` cannot be read
 */
export function driftOf(folder: SpecFolder, against: string, from?: string): Drift {
  const diagnostics = new Diagnostics();
  const nothing = () => ({ connector: undefined, changes: [], notes: [], diagnostics: diagnostics.sorted() });
  const loaded = loadConnector(folder.path, folder.files, diagnostics);
  if (loaded === undefined || diagnostics.count > 0) return nothing();
  const isRest = isOpenApiText(against);
  const { graphql, rest } = loaded.spec.platform;
  const reference = isRest ? rest?.description : graphql?.schema;
  if (reference === undefined)
    throw new Error(`the description is of a ${isRest ? "REST" : "GraphQL"} API, and the connector uses none`);
  const model = connectorModel(folder, diagnostics, new Results());
  if (model === undefined || diagnostics.count > 0) return nothing();
  const found = new Diagnostics();
  const fresh = withReference(folder, reference, against);
  connectorModel(fresh, found, new Results(), "goes on");
  const unread = found.sorted().filter(({ code }) => code === "SPEC017");
  // Their places are those of the spec, which is right.
  if (unread.length > 0) throw new Error(`the description to compare with: ${unread.map(({ message }) => message).join("; ")}`);
  const places = new SpecParts(model, loaded);
  const before = from === undefined ? folder : withReference(folder, reference, from);
  const [old, now, own] = [before, fresh, folder].map(({ read }) =>
    readPlatform(loaded.spec.platform, loaded.source, read, new Diagnostics(), new Results()),
  );
  // A simulator that follows an older description breaks nobody.
  const files = new Set([loaded.source.path, ...loaded.entities.map(({ source }) => source.path)]);
  const ofSpec = found
    .sorted()
    .filter(({ file }) => files.has(file))
    .flatMap(changeOf(found, places));
  const sent = own?.graphql;
  const ofDocuments =
    isRest || sent === undefined || now?.graphql === undefined ? [] : sentDocuments(model, sent, now.graphql, ofSpec, places);
  const isCut = !isRest && isExtract(before.read(reference) ?? "");
  const additions =
    old === undefined || now === undefined || isCut
      ? []
      : isRest
        ? restAdditions(model, loaded.entities, old, now, places)
        : graphqlAdditions(model, old, now, places);
  return {
    connector: model.name,
    changes: sortedChanges([...ofSpec, ...ofDocuments, ...additions]),
    notes: isCut ? [cutNote] : [],
    diagnostics: [],
  };
}

/** A consequence is left out where its cause is there; without any cause, it is the change. */
function changeOf(found: Diagnostics, places: SpecParts): (one: Diagnostic) => SpecChange[] {
  const direct = found.sorted().some(({ code }) => meanings[code] === "breaking");
  return (one) => {
    const kind = one.facts?.needless ? "compatible" : (meanings[one.code] ?? (direct ? undefined : "breaking"));
    if (kind === undefined) return [];
    const { path, actions } = places.of(one);
    return [{ kind, path, message: one.message, at: placeText(one), actions }];
  };
}
