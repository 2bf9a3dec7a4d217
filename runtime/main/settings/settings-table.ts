import { accessSettings } from "./access-settings.ts";
import { dataSettings } from "./data-settings.ts";
import { limitSettings } from "./limit-settings.ts";

/** Every setting of the service. Its name here is its key in the file of settings; the environment wins over the file. */
export const settingsTable = { ...accessSettings, ...dataSettings, ...limitSettings };
