import { BoundedMap } from "../base/bounded-map.ts";
import type { GraphqlFault } from "./failure.ts";
import type { KnownDocument } from "./without-fields.ts";

/** Documents that are remembered for one instance. */
const mostDocuments = 500;
/** Milliseconds until the whole document is sent again: the platform may have the field back. */
const remembered = 3_600_000;
/** The most fields that one document may lose, each try by itself: a document has few hundred of them. */
const mostRemoved = 100;

/**
 * What servers call the error of a field, an argument or a type that is not in their schema: graphql-js, and what is built on it, in the
 * message or with one code for all errors of a document; graphql-ruby, which GitHub uses, with a code for each.
 */
const schemaCodes = new Set([
  "GRAPHQL_VALIDATION_FAILED",
  "undefinedField",
  "argumentNotAccepted",
  "missingRequiredArguments",
  "argumentLiteralsIncompatible",
  "undefinedType",
  "selectionMismatch",
  "cannotSpreadFragment",
]);
const schemaMessage =
  /^(Cannot query field |Unknown argument |Unknown type |Field ".*" (argument .* is required|must (not )?have a selection)|Field '.*' doesn't exist on type )/;

/**
 * Lets a document go on without a field that the platform has removed from its schema. Such an answer says that nothing was done, so that a
 * write may be sent again too.
 */
export class RemovedFields {
  readonly #known = new BoundedMap<string, KnownDocument & { readonly until: number }>(mostDocuments);

  /** What to send for a document. */
  of(document: string): KnownDocument {
    const known = this.#known.get(document);
    return known !== undefined && performance.now() < known.until ? known : { document, removed: [] };
  }

  /**
   * Learns from the errors of a document that was refused.
   *
   * @param document as it is before anything is left out of it
   * @returns whether less is sent for it from now on, so that it is worth another try
   */
  async learn(document: string, faults: readonly GraphqlFault[]): Promise<boolean> {
    if (faults.length === 0 || !faults.every(isOfSchema)) return false;
    const sent = this.of(document);
    if (sent.removed.length >= mostRemoved) return false;
    // Loaded here, because the parser takes long to load and is hardly ever needed.
    const { withoutFields } = await import("./without-fields.ts");
    const left = withoutFields(
      sent.document,
      faults.flatMap(({ locations }) => locations.slice(0, 1)),
    );
    if (left === undefined) return false;
    const removed = [...new Set([...sent.removed, ...left.removed])];
    this.#known.set(document, { document: left.document, removed, until: performance.now() + remembered });
    return true;
  }
}

/** Whether an error says that the document does not fit the schema, and where. */
function isOfSchema({ message, extensions, locations }: GraphqlFault): boolean {
  return locations.length > 0 && (schemaCodes.has(String(extensions["code"])) || schemaMessage.test(message));
}
