// Generated from spec/ by `make generate`. Do not edit.

import { type Connector, lazyConnector } from "../runtime/contract/public.ts";
import * as figma from "./figma/facts.ts";
import * as github from "./github/facts.ts";
import * as gitlab from "./gitlab/facts.ts";
import * as jira from "./jira/facts.ts";
import * as linear from "./linear/facts.ts";
import * as notion from "./notion/facts.ts";
import * as slack from "./slack/facts.ts";
import * as stripe from "./stripe/facts.ts";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const load = (module: URL) => require(fileURLToPath(module));

/** Every connector that this repository has a spec of. */
export const connectors: readonly Connector[] = [
  lazyConnector(figma, () => load(new URL("./figma/index.ts", import.meta.url)).figma),
  lazyConnector(github, () => load(new URL("./github/index.ts", import.meta.url)).github),
  lazyConnector(gitlab, () => load(new URL("./gitlab/index.ts", import.meta.url)).gitlab),
  lazyConnector(jira, () => load(new URL("./jira/index.ts", import.meta.url)).jira),
  lazyConnector(linear, () => load(new URL("./linear/index.ts", import.meta.url)).linear),
  lazyConnector(notion, () => load(new URL("./notion/index.ts", import.meta.url)).notion),
  lazyConnector(slack, () => load(new URL("./slack/index.ts", import.meta.url)).slack),
  lazyConnector(stripe, () => load(new URL("./stripe/index.ts", import.meta.url)).stripe),
];
