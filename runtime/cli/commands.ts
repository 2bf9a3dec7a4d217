import { type Command, command, type Flag } from "./command.ts";

const config: Flag & { kind: "text" } = { kind: "text", value: "FILE", help: "YAML or JSON file with settings" };

/** Every command. A new one is a row here and a module with a function `run`. */
export const commands: readonly Command[] = [
  command({
    name: "serve",
    summary: "start the HTTP service",
    arguments: [],
    flags: {
      port: { kind: "text", value: "NUMBER", help: "port to listen on; 0 takes any free one" },
      host: { kind: "text", value: "ADDRESS", help: "address to listen on" },
      config,
    },
    examples: ["tenon serve", "tenon serve --port 9000 --config tenon.yaml"],
    load: () => import("./serve.ts"),
  }),
  command({
    name: "sync",
    summary: "read records of a platform into the context store",
    arguments: [{ name: "connector_id", help: "id of the connector to read" }],
    flags: {
      scope: {
        kind: "list",
        value: "KIND=VALUE",
        help: "what to read, such as repository=octocat/hello-world; may be repeated",
      },
      entity: { kind: "list", value: "NAME", help: "read only this entity; may be repeated" },
      full: { kind: "switch", help: "read everything again, not only what has changed" },
      "allow-mass-delete": { kind: "switch", help: "remove records even when most of them are gone from the platform" },
      status: { kind: "switch", help: "only show what is cached, how old it is, and what went wrong" },
      forget: { kind: "text", value: "KIND=VALUE", help: "only remove this scope from the cache, with its records" },
      config,
    },
    examples: [
      "tenon sync <connector_id> --scope repository=octocat/hello-world",
      "tenon sync <connector_id> --scope organization=tenon-labs --entity teams --full",
      "tenon sync <connector_id> --status",
      "tenon sync <connector_id> --forget repository=octocat/hello-world",
    ],
    load: () => import("./sync.ts"),
  }),
  command({
    name: "settings",
    summary: "list every setting with its default and its meaning",
    arguments: [],
    flags: {},
    examples: ["tenon settings"],
    load: () => import("./settings.ts"),
  }),
];
