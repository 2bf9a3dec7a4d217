/** Says what is wrong with the configuration, one line per setting. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}
