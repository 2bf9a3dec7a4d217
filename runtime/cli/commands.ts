import { type Command, command, config } from "./command.ts";
import { operatorCommands } from "./operator/commands.ts";
import { policyCommands } from "./policy/commands.ts";
import { changesFlags } from "./request/changes-flags.ts";
import { placeFlags } from "./request/place-flags.ts";
import { requestFlags } from "./request/request-flags.ts";
import { searchFlags, sqlFlags } from "./request/search-flags.ts";
import { specCommands } from "./spec/commands.ts";
import { subscriptionCommands } from "./subscription/commands.ts";

/** Every command. A new one is a row here and a module with a function `run`. */
export const commands: readonly Command[] = [
  command({
    name: "serve",
    summary: "start the HTTP service",
    arguments: [],
    flags: {
      port: { kind: "text", value: "NUMBER", help: "port to listen on; 0 takes any free one" },
      host: { kind: "text", value: "ADDRESS", help: "address to listen on" },
      examples: { kind: "switch", help: "sync the examples, so that the cache can be searched (simulated platforms only)" },
      "no-sync": { kind: "switch", help: "leave scheduled syncs and embedding to `tenon work`" },
      config,
    },
    examples: ["tenon serve", "tenon serve --port 9000 --config tenon.yaml"],
    load: async () => (await import("./serve.ts")).serve,
  }),
  command({
    name: "work",
    summary: "sync on schedules and embed texts, and serve only the probes /healthz and /readyz",
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
    stored: "files",
    arguments: [{ name: "folder", help: "folder for the copies; it must not hold an earlier copy" }],
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
    summary: "migrate the tables of the PostgreSQL database to this version, while services of another version keep running",
    arguments: [],
    flags: {
      "replace-newer": {
        kind: "switch",
        help: "roll back: also if the database has tables of a newer version, as after a failed upgrade",
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
      "allow-mass-delete": { kind: "switch", help: "remove records even if most of them are gone from the platform" },
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
    stored: "records",
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
    name: "sql",
    summary: "run a SELECT over the records that a sync has stored",
    arguments: [
      { name: "connector_id", help: "id of the connector" },
      { name: "statement", help: "the SELECT, @FILE, or - for standard input; with --describe, a table", optional: true },
    ],
    flags: sqlFlags,
    examples: [
      'tenon sql <connector_id> "select state, count(*) as issues from issues group by state"',
      "tenon sql <connector_id> --csv --limit 10000 @report.sql",
      "tenon sql <connector_id> --describe",
    ],
    load: () => import("./request/sql.ts"),
  }),
  command({
    name: "changes",
    summary: "print which cached records syncs have created, updated and deleted",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: changesFlags,
    examples: ["tenon changes <connector_id> --entity issues --follow", "tenon changes <connector_id> --cursor <cursor>"],
    load: () => import("./request/changes.ts"),
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
    summary: "print the configuration with which an AI client uses these tools, or write it to the client's file",
    arguments: [{ name: "client", help: "claude-code, claude-desktop, cursor, vscode or codex" }],
    flags: {
      apply: { kind: "switch", help: "add it to the client's file, and keep a copy of the old file" },
      url: { kind: "text", value: "ADDRESS", help: "use the Tenon service at this address, instead of starting this program" },
      write: { kind: "switch", help: "also offer a tool that creates and changes records" },
      connector: { kind: "text", value: "CONNECTOR_ID", help: "only this connector" },
      config,
    },
    examples: ["tenon mcp setup claude-code", "tenon mcp setup cursor --connector <connector_id> --apply"],
    load: () => import("./mcp/mcp-setup.ts"),
  }),
  command({
    name: "mcp bundle",
    summary: "make a file that Claude Desktop installs with a double click, and that starts this program",
    arguments: [{ name: "file", help: "file to write (default: tenon.mcpb)", optional: true }],
    flags: {
      url: { kind: "text", value: "ADDRESS", help: "use the Tenon service at this address" },
      write: { kind: "switch", help: "also offer a tool that creates and changes records" },
      connector: { kind: "text", value: "CONNECTOR_ID", help: "only this connector" },
      config,
    },
    examples: ["tenon mcp bundle", "tenon mcp bundle tenon.mcpb --connector <connector_id>"],
    load: () => import("./mcp/mcp-bundle.ts"),
  }),
  command({
    name: "mcp server-json",
    summary: "print how a registry of MCP servers describes your service",
    arguments: [{ name: "address", help: "public address of the service" }],
    flags: {},
    examples: ["tenon mcp server-json https://tenon.example.com"],
    load: () => import("./mcp/server-json.ts"),
  }),
  command({
    name: "describe",
    summary: "show what a connector, an entity or an action takes and returns",
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
  ...specCommands,
  ...operatorCommands,
  ...policyCommands,
  ...subscriptionCommands,
  command({
    name: "audit",
    summary: "print who did what and when, as JSON lines",
    stored: "accounts",
    arguments: [],
    flags: {
      since: { kind: "text", value: "TIME", help: "only the last part of the log, such as 12h or 7d (default: all of it)" },
      caller: { kind: "list", value: "CALLER", help: "only what this key or client did, by id or name; may be repeated" },
      action: { kind: "list", value: "NAME", help: "only this action, such as issues.create, or all of issues; may be repeated" },
      target: { kind: "list", value: "TARGET", help: "only what was done to this connector, key or client; may be repeated" },
      outcome: { kind: "list", value: "OUTCOME", help: "only done, failed, or this error code; may be repeated" },
      config,
    },
    examples: ["tenon audit", "tenon audit --since 7d --outcome failed", "tenon audit --caller nightly-report --action issues"],
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
