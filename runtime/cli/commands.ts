import { type Command, command, type Flag, type Flags } from "./command.ts";
import { placeFlags } from "./request/place-flags.ts";
import { requestFlags } from "./request/request-flags.ts";
import { searchFlags } from "./request/search-flags.ts";

const config: Flag & { kind: "text" } = { kind: "text", value: "FILE", help: "YAML or JSON file with settings" };

/** What a new caller may do, and for how long. */
const grantFlags = {
  right: { kind: "list", value: "RIGHT", help: "read (default), write, sync, metrics or admin; may be repeated" },
  instance: { kind: "list", value: "CONNECTOR_ID", help: "only this connector; may be repeated" },
  workspace: { kind: "list", value: "NAME", help: "only the connectors of this workspace; may be repeated" },
  organization: { kind: "text", value: "ID", help: "only the connectors of this organization" },
  entity: { kind: "list", value: "NAME", help: "only this entity; may be repeated" },
  limit: {
    kind: "list",
    value: "NAME=NUMBER",
    help: "instead of the usual limit: requests, concurrent, writes, points, searchSeconds, bodyMib or cpuSeconds; may be repeated",
  },
  "expires-in": { kind: "text", value: "TIME", help: "how long it is good, such as 12h or 30d, or never (default 365d)" },
  config,
} as const satisfies Flags;

/** Flags that name the description of a platform, from which a spec is drafted. */
const described = {
  graphql: { kind: "text", value: "FROM", help: "GraphQL schema (SDL): a file, an address, or package@version/path of npm" },
  openapi: { kind: "text", value: "FROM", help: "OpenAPI description (3.0 or 3.1, JSON or YAML): as with --graphql" },
  only: {
    kind: "list",
    value: "NAME",
    help: "only this entity, or name=path.of.its.list in a schema; may be repeated, or have several between commas",
  },
} as const satisfies Flags;

const overlap: Flag & { kind: "text" } = {
  kind: "text",
  value: "TIME",
  help: "how long the former secret stays good, such as 0h, 12h or 7d (default 24h)",
};

/** The commands for one kind of caller. @param what what they are about, in words */
function callerCommands(kind: "key" | "client", what: string, id: string): readonly Command[] {
  return [
    command({
      name: `${kind} create`,
      summary: `make ${what}; its secret is shown this once`,
      arguments: [{ name: "name", help: "a name by which people know it" }],
      flags: grantFlags,
      examples: [
        `tenon ${kind} create nightly-report --instance <connector_id> --entity issues`,
        `tenon ${kind} create deploy --right read --right write --limit writes=10 --expires-in 90d`,
      ],
      load: async () => (await import("./operator/callers.ts")).create(kind),
    }),
    command({
      name: `${kind} list`,
      summary: `list every ${kind} with what it may do and when it was last used`,
      arguments: [],
      flags: { config },
      examples: [`tenon ${kind} list`],
      load: async () => (await import("./operator/callers.ts")).list(kind),
    }),
    command({
      name: `${kind} rotate`,
      summary: `give a ${kind} a new secret; the former one stays good for a while`,
      arguments: [{ name: "id", help: `id of the ${kind}, or its name where no other has it` }],
      flags: { overlap, config },
      examples: [`tenon ${kind} rotate ${id}`, `tenon ${kind} rotate ${id} --overlap 0h`],
      load: async () => (await import("./operator/callers.ts")).rotate(kind),
    }),
    command({
      name: `${kind} revoke`,
      summary: `refuse a ${kind} from now on`,
      arguments: [{ name: "id", help: `id of the ${kind}, or its name where no other has it` }],
      flags: { config },
      examples: [`tenon ${kind} revoke ${id}`, `tenon ${kind} revoke nightly-report`],
      load: async () => (await import("./operator/callers.ts")).revoke(kind),
    }),
  ];
}

const credentialFile: Flag & { kind: "text" } = {
  kind: "text",
  value: "FILE",
  help: "file with the credential; without it the credential is read from standard input",
};

const credentialKind: Flag & { kind: "text" } = {
  kind: "text",
  value: "KIND",
  help: "kind of the credential, where the spec has several that fit",
};

const authorizeLater: Flag & { kind: "switch" } = {
  kind: "switch",
  help: "read no credential: print the address of the platform's page on which a user authorizes the connector",
};

/** The commands for connectors that are stored with a credential of their own. */
const connectorCommands: readonly Command[] = [
  command({
    name: "connector add",
    summary: "add a connector with an account of its own; the credential is read from standard input",
    arguments: [{ name: "connector", help: "name of the spec, such as the connector_id of the settings" }],
    flags: {
      id: { kind: "text", value: "CONNECTOR_ID", help: "id in addresses (default: the name of the spec and eight letters)" },
      workspace: { kind: "text", value: "NAME", help: "workspace that it belongs to (default: default)" },
      organization: { kind: "text", value: "ID", help: "organization that the workspace belongs to" },
      "base-url": { kind: "text", value: "ADDRESS", help: "address of the platform's REST API, where it is not the usual one" },
      "graphql-url": {
        kind: "text",
        value: "ADDRESS",
        help: "address of its GraphQL API, where it does not follow from the other",
      },
      variable: { kind: "list", value: "NAME=VALUE", help: "value of a variable in the platform's address; may be repeated" },
      scope: { kind: "list", value: "KIND=VALUE", help: "what to sync on a schedule; may be repeated" },
      "sync-minutes": { kind: "text", value: "NUMBER", help: "minutes from one sync to the next (default 60)" },
      "credential-kind": credentialKind,
      "credential-file": credentialFile,
      authorize: authorizeLater,
      config,
    },
    examples: [
      "tenon connector add <connector_id> --id team-a --credential-file token.txt",
      "tenon connector add <connector_id> --workspace acme --scope repository=octocat/hello-world --credential-file token.txt",
      "tenon connector add <connector_id> --variable subdomain=acme --credential-kind basic --credential-file user.json",
      "tenon connector add <connector_id> --id team-b --authorize",
    ],
    load: async () => (await import("./operator/connectors.ts")).add,
  }),
  command({
    name: "connector list",
    summary: "list the connectors that were added",
    arguments: [],
    flags: { config },
    examples: ["tenon connector list"],
    load: async () => (await import("./operator/connectors.ts")).list,
  }),
  command({
    name: "connector show",
    summary: "show one connector that was added, without its credential",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: { config },
    examples: ["tenon connector show team-a"],
    load: async () => (await import("./operator/connectors.ts")).show,
  }),
  command({
    name: "connector rotate",
    summary: "replace the credential of a connector; the new one is read from standard input",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: { "credential-kind": credentialKind, "credential-file": credentialFile, authorize: authorizeLater, config },
    examples: ["tenon connector rotate team-a --credential-file token.txt"],
    load: async () => (await import("./operator/connectors.ts")).rotate,
  }),
  command({
    name: "connector authorize",
    summary: "print the address of the page on which a user of the platform authorizes a connector",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: { config },
    examples: ["tenon connector authorize team-a"],
    load: async () => (await import("./operator/connectors.ts")).authorize,
  }),
  command({
    name: "connector remove",
    summary: "remove a connector that was added, with its credential and its cached records",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: { config },
    examples: ["tenon connector remove team-a"],
    load: async () => (await import("./operator/connectors.ts")).remove,
  }),
];

/** Every command. A new one is a row here and a module with a function `run`. */
export const commands: readonly Command[] = [
  command({
    name: "serve",
    summary: "start the HTTP service",
    arguments: [],
    flags: {
      port: { kind: "text", value: "NUMBER", help: "port to listen on; 0 takes any free one" },
      host: { kind: "text", value: "ADDRESS", help: "address to listen on" },
      examples: { kind: "switch", help: "on simulated platforms only: sync the examples, so that the cache can be searched" },
      "no-sync": { kind: "switch", help: "leave scheduled syncs and embedding to a process of `tenon work`" },
      config,
    },
    examples: ["tenon serve", "tenon serve --port 9000 --config tenon.yaml"],
    load: async () => (await import("./serve.ts")).serve,
  }),
  command({
    name: "work",
    summary: "sync on schedules and embed texts, and serve nobody but probes at /healthz and /readyz",
    arguments: [],
    flags: {
      port: { kind: "text", value: "NUMBER", help: "port for the probes; 0 takes any free one" },
      host: { kind: "text", value: "ADDRESS", help: "address to listen on" },
      config,
    },
    examples: ["tenon work --port 8788", "tenon work --port 8788 --config tenon.yaml"],
    load: async () => (await import("./serve.ts")).work,
  }),
  command({
    name: "store backup",
    summary: "copy the files of the data directory into a folder, while the service may run",
    arguments: [{ name: "folder", help: "folder for the copies, without an earlier copy" }],
    flags: { config },
    examples: ["tenon store backup /backups/monday"],
    load: async () => (await import("./operator/store.ts")).backup,
  }),
  command({
    name: "store copy",
    summary: "copy accounts and records between a data directory and PostgreSQL",
    arguments: [],
    flags: {
      from: { kind: "text", value: "PLACE", help: "data directory, or postgres://… of a database" },
      to: { kind: "text", value: "PLACE", help: "data directory, or postgres://… of a database" },
      only: { kind: "text", value: "STORE", help: "accounts (callers, added connectors, audit log) or records (default: both)" },
    },
    examples: [
      "tenon store copy --from .tenon --to postgres://tenon@db.example/tenon",
      "tenon store copy --from .tenon --to postgres://tenon@db.example/accounts --only accounts",
    ],
    load: async () => (await import("./operator/store.ts")).copy,
  }),
  command({
    name: "store migrate",
    summary: "bring the tables of the PostgreSQL database to this version, while services of another version go on",
    arguments: [],
    flags: {
      "replace-newer": {
        kind: "switch",
        help: "also when the database has tables of a newer version, as after a failed upgrade",
      },
      "drop-old": { kind: "switch", help: "drop the tables of other versions that no process uses" },
      config,
    },
    examples: ["tenon store migrate", "tenon store migrate --replace-newer", "tenon store migrate --drop-old"],
    load: async () => (await import("./operator/store.ts")).migrate,
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
      ...placeFlags,
      config,
    },
    examples: [
      "tenon sync <connector_id> --scope repository=octocat/hello-world",
      "tenon sync <connector_id> --scope organization=tenon-labs --entity teams --full",
      "tenon sync <connector_id> --status",
      "tenon sync <connector_id> --forget repository=octocat/hello-world",
    ],
    load: () => import("./sync/sync.ts"),
  }),
  command({
    name: "semantic status",
    summary: "show how far the texts are embedded for search by meaning",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: { config },
    examples: ["tenon semantic status <connector_id>"],
    load: () => import("./operator/semantic.ts"),
  }),
  command({
    name: "execute",
    summary: "run an action of an entity; `tenon <connector> <entity> <action>` has a flag for each param",
    arguments: [
      { name: "connector_id", help: "id of the connector" },
      { name: "entity", help: "name of the entity, such as issues" },
      { name: "action", help: "name of the action, such as list" },
    ],
    flags: requestFlags,
    examples: [
      `tenon execute <connector_id> issues get --params '{"owner":"octocat","repo":"hello-world","number":1}'`,
      "tenon execute <connector_id> issues create --params @issue.json",
    ],
    load: () => import("./request/execute.ts"),
  }),
  command({
    name: "search",
    summary: "search the records that a sync has stored",
    arguments: [
      { name: "connector_id", help: "id of the connector" },
      { name: "entity", help: "name of the entity, such as issues" },
    ],
    flags: searchFlags,
    examples: [
      `tenon search <connector_id> issues --filter '{"eq":{"state":"open"}}' --sort updatedAt:desc --limit 10`,
      "tenon search <connector_id> issues --group-by state",
    ],
    load: () => import("./request/search.ts"),
  }),
  command({
    name: "mcp",
    summary: "serve the tools of the Model Context Protocol on standard input and output",
    arguments: [],
    flags: {
      write: { kind: "switch", help: "also offer a tool that creates and changes records" },
      connector: { kind: "text", value: "CONNECTOR_ID", help: "only this connector" },
      ...placeFlags,
      config,
    },
    examples: ["tenon mcp", "tenon mcp --connector <connector_id> --write"],
    load: () => import("./mcp/mcp.ts"),
  }),
  command({
    name: "mcp setup",
    summary: "print what an AI agent's program needs in its configuration to use these tools, or write it there",
    arguments: [{ name: "client", help: "claude-code, claude-desktop, cursor, vscode or codex" }],
    flags: {
      apply: { kind: "switch", help: "add it to the file of the program, and keep a copy of the former file" },
      url: { kind: "text", value: "ADDRESS", help: "use the Tenon service at this address, instead of starting this program" },
      write: { kind: "switch", help: "also offer a tool that creates and changes records" },
      connector: { kind: "text", value: "CONNECTOR_ID", help: "only this connector" },
      config,
    },
    examples: ["tenon mcp setup claude-code", "tenon mcp setup cursor --connector <connector_id> --apply"],
    load: () => import("./mcp/mcp-setup.ts"),
  }),
  command({
    name: "describe",
    summary: "say what a connector, an entity or an action takes and answers",
    arguments: [
      { name: "connector", help: "name of the connector", optional: true },
      { name: "entity", help: "name of the entity", optional: true },
      { name: "action", help: "name of the action", optional: true },
    ],
    flags: { json: { kind: "switch", help: "print JSON, on a terminal too" } },
    examples: ["tenon describe", "tenon describe <connector_id> issues", "tenon describe <connector_id> issues list"],
    load: () => import("./describe.ts"),
  }),
  command({
    name: "completion",
    summary: "print the completion script for a shell",
    arguments: [{ name: "shell", help: "bash, zsh or fish" }],
    flags: {},
    examples: ["tenon completion bash", "tenon completion zsh", "tenon completion fish"],
    load: async () => (await import("./completion/completion.ts")).completionOf(commands),
  }),
  command({
    name: "init",
    summary: "make a folder with a connector that generates, tests and serves: a small one, or a draft from a description",
    arguments: [{ name: "folder", help: "folder to make; its name becomes that of the connector" }],
    flags: described,
    examples: ["tenon init my-connector", "tenon init shop --openapi openapi.yaml"],
    load: () => import("./spec/init.ts"),
  }),
  command({
    name: "generate",
    summary: "write the code of connectors from their specs",
    arguments: [],
    flags: {
      spec: { kind: "text", value: "FOLDER", help: "folder with a folder of YAML per connector (default: spec)" },
      out: { kind: "text", value: "FOLDER", help: "folder that is written (default: generated)" },
      check: { kind: "switch", help: "write nothing, and fail when a generated file differs" },
      watch: { kind: "switch", help: "generate again on every save" },
    },
    examples: ["tenon generate", "tenon generate --spec my-specs --out src/generated --watch"],
    load: async () => (await import("./spec/generate.ts")).generate,
  }),
  command({
    name: "spec check",
    summary: "say what is wrong in specs, and write nothing",
    arguments: [],
    flags: { spec: { kind: "text", value: "FOLDER", help: "folder with a folder of YAML per connector (default: spec)" } },
    examples: ["tenon spec check", "tenon spec check --spec my-specs"],
    load: async () => (await import("./spec/generate.ts")).specCheck,
  }),
  command({
    name: "spec diff",
    summary:
      "list what differs for callers between two versions of the specs: what breaks, what is compatible, what is documentation",
    arguments: [
      { name: "old", help: "folder with specs, or revision of git" },
      { name: "new", help: "folder with specs, or revision of git (default: the folder of --spec)", optional: true },
    ],
    flags: {
      spec: { kind: "text", value: "FOLDER", help: "folder of the specs in a revision (default: spec)" },
      json: { kind: "switch", help: "print JSON, on a terminal too" },
      check: { kind: "switch", help: "end with status 1 when a change is breaking" },
    },
    examples: ["tenon spec diff HEAD", "tenon spec diff v1.0.0 v1.1.0 --check", "tenon spec diff old-specs spec"],
    load: () => import("./spec/spec-diff.ts"),
  }),
  command({
    name: "spec init",
    summary: "draft the spec of a connector from the platform's own description",
    arguments: [{ name: "name", help: "name of the connector, such as my-platform" }],
    flags: {
      ...described,
      spec: { kind: "text", value: "FOLDER", help: "folder with a folder of YAML per connector (default: spec)" },
    },
    examples: [
      "tenon spec init shop --openapi openapi.yaml",
      "tenon spec init tracker --graphql schema.graphql --only issues,comments",
    ],
    load: async () => (await import("./spec/spec-init.ts")).specInit,
  }),
  ...connectorCommands,
  ...callerCommands("key", "an API key, which a caller sends as it is", "key_4f0Zr8s1mXqA"),
  ...callerCommands("client", "a client, which exchanges its id and secret for short-lived tokens", "client_4f0Zr8s1mXqA"),
  command({
    name: "audit",
    summary: "print who did what and when, as JSON lines",
    arguments: [],
    flags: {
      since: { kind: "text", value: "TIME", help: "only the last part of the log, such as 12h or 7d (default: all of it)" },
      config,
    },
    examples: ["tenon audit", "tenon audit --since 7d"],
    load: () => import("./operator/audit.ts"),
  }),
  command({
    name: "settings",
    summary: "list every setting with its default and its meaning",
    arguments: [],
    flags: {},
    examples: ["tenon settings"],
    load: () => import("./operator/settings.ts"),
  }),
];
