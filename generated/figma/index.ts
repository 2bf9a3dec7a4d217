// Generated from spec/figma/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as comments } from "./comments.ts";
import { entity as components } from "./components.ts";
import { entity as devResources } from "./dev_resources.ts";
import { facts } from "./facts.ts";
import { entity as files } from "./files.ts";
import { entity as folders } from "./folders.ts";
import { entity as styles } from "./styles.ts";
import { entity as versions } from "./versions.ts";
import { entity as webhooks } from "./webhooks.ts";

/** Folders, files, versions, comments, published components and styles, dev resources and webhooks of a Figma team. */
export const figma: Connector = {
  ...facts,
  entities: { comments, components, dev_resources: devResources, files, folders, styles, versions, webhooks },
};
