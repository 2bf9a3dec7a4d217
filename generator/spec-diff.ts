import { Results } from "./cache/results.ts";
import { type Diagnostic, Diagnostics } from "./diagnostic/diagnostic.ts";
import type { SpecChange } from "./diff/change.ts";
import { compareModels } from "./diff/models.ts";
import { connectorModel, type SpecFolder } from "./model/connector.ts";
import type { ConnectorModel } from "./model/types.ts";

export interface SpecDiff {
  /** Empty when one of the versions has problems. */
  readonly changes: readonly SpecChange[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * What differs for callers between two versions of specs.
 *
 * @param results Results of earlier checks; this adds its own.
 */
export function diffSpecs(
  before: readonly SpecFolder[],
  after: readonly SpecFolder[],
  results: Results = new Results(),
): SpecDiff {
  const diagnostics = new Diagnostics();
  const models = (folders: readonly SpecFolder[]): ConnectorModel[] =>
    // A revision has its specs alone. What simulates a platform can be elsewhere, and is nothing that callers notice.
    folders.flatMap((folder) => connectorModel({ ...folder, module: (file) => file }, diagnostics, results) ?? []);
  const [old, now] = [models(before), models(after)];
  if (diagnostics.count > 0) return { changes: [], diagnostics: diagnostics.sorted() };
  return { changes: compareModels(old, now), diagnostics: [] };
}
