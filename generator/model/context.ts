import type { Results } from "../cache/results.ts";
import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { FieldContext } from "./field.ts";
import type { PlatformDescription } from "./platform-description.ts";
import type { Shared } from "./shared.ts";
import type { Names } from "./type-reference.ts";
import type { EnumModel, TypeModel } from "./types.ts";

/** Everything that is needed while one connector's model is built. */
export interface BuildContext {
  readonly connector: LoadedConnector;
  readonly platform: PlatformDescription;
  readonly diagnostics: Diagnostics;
  readonly results: Results;
  readonly names: Names;
  readonly shared: Shared;
  readonly enums: Map<string, EnumModel>;
  readonly types: Map<string, TypeModel>;
  /** Where the fields of a type are written, by the type's name. */
  readonly positions: Map<string, (field: string, key?: string) => SourcePosition>;
  /** Faults of REST answers that have been reported. */
  readonly reportedAnswers: Set<string>;
  readonly fields: FieldContext;
}
