// Generated from spec/ by `make generate`. Do not edit.

import type { Connector } from "../runtime/contract/public.ts";
import { figma } from "./figma/index.ts";
import { github } from "./github/index.ts";
import { gitlab } from "./gitlab/index.ts";
import { jira } from "./jira/index.ts";
import { linear } from "./linear/index.ts";
import { notion } from "./notion/index.ts";
import { slack } from "./slack/index.ts";
import { stripe } from "./stripe/index.ts";

/** Every connector that this repository has a spec of. */
export const connectors: readonly Connector[] = [figma, github, gitlab, jira, linear, notion, slack, stripe];
