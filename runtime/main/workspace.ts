import { settingsPlace } from "../server/instance-of.ts";

/** The workspace of the connectors that the settings name. */
export const workspace = settingsPlace.workspace;
