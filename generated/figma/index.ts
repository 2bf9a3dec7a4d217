// Generated from spec/figma/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as comments } from "./comments.ts";
import { entity as components } from "./components.ts";
import { entity as devResources } from "./dev_resources.ts";
import { entity as files } from "./files.ts";
import { entity as folders } from "./folders.ts";
import { entity as styles } from "./styles.ts";
import { entity as versions } from "./versions.ts";
import { entity as webhooks } from "./webhooks.ts";

/** Folders, files, versions, comments, published components and styles, dev resources and webhooks of a Figma team. */
export const figma: Connector = {
  name: "figma",
  title: "Figma",
  example: { action: "list", entity: "files", params: { fields: ["key", "name", "lastModified"], folder: "1101" } },
  platform: {
    title: "Figma",
    auth: {
      kinds: [
        {
          name: "token",
          values: { token: "FIGMA_TOKEN" },
          doc: "A personal access token. Its scopes decide what every action may see and change.",
          place: { in: "header", name: "X-Figma-Token", template: ["", "token", ""] },
        },
        {
          name: "oauth",
          values: { token: "FIGMA_OAUTH_TOKEN" },
          doc: "An access token of an OAuth app.",
          place: { in: "header", name: "Authorization", template: ["Bearer ", "token", ""] },
        },
      ],
      secrets: ["fig[dopr]_[A-Za-z0-9_-]{20,255}"],
    },
    rest: { url: "https://api.figma.com", env: "FIGMA_API_URL" },
    rateLimit: { concurrent: 10, background: { concurrent: 1, reserve: 0 } },
    errors: {
      graphql: {},
      rest: {
        "400": { code: "platform_rejected" },
        "403": { code: "platform_forbidden" },
        "404": { code: "not_found" },
        "400 /cursor|page/": { code: "bad_cursor" },
        "403 /invalid token/": { code: "platform_unauthorized" },
      },
      places: { message: ["err", "message", "errors[0].error"] },
    },
  },
  simulator: new URL("../../spec/figma/simulator/platform.yaml", import.meta.url),
  openapi: new URL("./openapi.json", import.meta.url),
  scopes: { team: { params: ["team"], doc: "A team with its folders, files, library and webhooks.", example: "1001" } },
  webhooks: {
    event: { path: "event_type" },
    events: {
      DEV_MODE_STATUS_UPDATE: { reads: { dev_resources: { parent: "file_key" } } },
      FILE_COMMENT: { reads: { comments: { parent: "file_key" } } },
      FILE_DELETE: { reads: { files: {} } },
      FILE_UPDATE: { reads: { files: {} } },
      FILE_VERSION_UPDATE: { reads: { files: {}, versions: { parent: "file_key" } } },
      LIBRARY_PUBLISH: { reads: { components: {}, styles: {} } },
    },
    scopes: { team: "*" },
    setup: {
      where: "The action `webhooks.create`, once for each event, with the context `team`, the address as `endpoint` and the secret as `passcode`",
    },
    signature: { passcode: "passcode" },
  },
  entities: { comments, components, dev_resources: devResources, files, folders, styles, versions, webhooks },
};
