import type { logLevels } from "../../base/log-levels.ts";

interface Setting<Value> {
  readonly env: string;
  /** Another variable, as hosts of containers set it. It counts where `env` is not set. */
  readonly alias?: string;
  readonly default: Value;
  readonly doc: string;
  /** Reads a text of the environment or a value of the file. It gives the value, or a string that says what is allowed. */
  readonly read: (given: unknown) => { readonly value: Value } | string;
}

/** Settings by their names, which are their keys in the file of settings; the environment wins over the file. */
export type SettingsGroup = Readonly<
  Record<
    string,
    Setting<boolean> | Setting<number> | Setting<string> | Setting<readonly string[]> | Setting<(typeof logLevels)[number]>
  >
>;
