import { github } from "../../generated/github/index.ts";
import type { Connector, Entity } from "../../runtime/contract/index.ts";

const { simulator: _none, ...rest } = github;
const { viewer, users } = github.entities as Readonly<Record<"viewer" | "users", Entity>>;
const { account, user } = github.scopes as Readonly<Record<"account" | "user", Connector["scopes"][string]>>;

/** A second connector for tests of what several connectors share: two entities that the simulated GitHub answers, and no simulator. */
export const tiny: Connector = {
  ...rest,
  name: "tiny",
  title: "Tiny",
  example: { entity: "viewer", action: "get", params: { fields: ["login"] } },
  platform: {
    ...github.platform,
    title: "Tiny",
    auth: {
      kinds: github.platform.auth.kinds.slice(0, 1).map((kind) => ({ ...kind, values: { token: "TINY_TOKEN" } })),
      secrets: [],
    },
    graphql: { url: "https://tiny.example/graphql", env: "TINY_GRAPHQL_URL", derive: { "": "/graphql" } },
    rest: { ...github.platform.rest, url: "https://tiny.example", env: "TINY_URL" },
  },
  scopes: { account, user },
  entities: { viewer, users },
};

/** The tiny connector with the simulator of GitHub for its own. */
export const tinySimulated: Connector = { ...tiny, ...(github.simulator === undefined ? {} : { simulator: github.simulator }) };
