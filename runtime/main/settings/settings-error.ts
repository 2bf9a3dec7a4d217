/** Says what is wrong with the configuration, one line per setting. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Why a file of the configuration cannot be read, such as `ENOENT`. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
}
