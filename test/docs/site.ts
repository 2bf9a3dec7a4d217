import { buildSite } from "../../runtime/site/build.ts";
import { readConnectors, readTexts } from "../../runtime/site/sources.ts";

/** The site, which is built once for all test files of a process. */
export const connectors = readConnectors();
export const site = buildSite(connectors, readTexts());
