import { type Command, command, config, type Flag, type Flags } from "../command.ts";

/** What a new caller may do, and for how long. */
const grantFlags = {
  right: { kind: "list", value: "RIGHT", help: "read (default), write, sync, metrics, approve or admin; may be repeated" },
  instance: { kind: "list", value: "CONNECTOR_ID", help: "only this connector; may be repeated" },
  workspace: { kind: "list", value: "NAME", help: "only the connectors of this workspace; may be repeated" },
  organization: { kind: "text", value: "ID", help: "only the connectors of this organization" },
  entity: { kind: "list", value: "NAME", help: "only this entity; may be repeated" },
  limit: {
    kind: "list",
    value: "NAME=NUMBER",
    help: "instead of the usual limit: requests, concurrent, writes, points, searchSeconds, bodyMib or cpuSeconds, per minute (but concurrent); may be repeated",
  },
  "expires-in": { kind: "text", value: "TIME", help: "how long it is valid, such as 12h or 30d, or never (default 365d)" },
  config,
} as const satisfies Flags;

const overlap: Flag & { kind: "text" } = {
  kind: "text",
  value: "TIME",
  help: "how long the old secret stays valid, such as 0h, 12h or 7d (default 24h)",
};

const webhookFlags = {
  scope: { kind: "text", value: "KIND=VALUE", help: "scope of the webhook, such as repository=octocat/hello-world" },
  config,
} as const satisfies Flags;

/** A command about the webhook of a scope. */
function webhookCommand(name: "test" | "rotate" | "remove", summary: string): Command {
  return command({
    name: `webhook ${name}`,
    summary,
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: webhookFlags,
    examples: [`tenon webhook ${name} <connector_id> --scope repository=octocat/hello-world`],
    load: async () => (await import("./webhooks.ts"))[name],
  });
}

/** The commands about the webhooks with which platforms call a service. */
const webhookCommands: readonly Command[] = [
  command({
    name: "webhook add",
    summary: "make the platform call the service of TENON_URL when something changes, or print what to enter there by hand",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: {
      ...webhookFlags,
      url: { kind: "text", value: "ADDRESS", help: "where the platform reaches the service (default: its TENON_PUBLIC_URL)" },
    },
    examples: ["tenon webhook add <connector_id> --scope repository=octocat/hello-world"],
    load: async () => (await import("./webhooks.ts")).add,
  }),
  command({
    name: "webhook list",
    summary: "list the webhooks that were added, and when each last reported a change",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: { config },
    examples: ["tenon webhook list <connector_id>"],
    load: async () => (await import("./webhooks.ts")).list,
  }),
  webhookCommand("test", "make the platform call the service, and report whether the call arrived"),
  webhookCommand("rotate", "give a webhook a new secret; the old one stays valid for a day"),
  webhookCommand("remove", "remove a webhook, also on the platform"),
];

/** The commands for one kind of caller. @param what what they are about, in words */
function callerCommands(kind: "key" | "client", what: string, id: string): readonly Command[] {
  return [
    command({
      name: `${kind} create`,
      summary: `create ${what}; the secret is shown only once`,
      stored: "accounts",
      arguments: [{ name: "name", help: "name for people, in lists and in the audit log" }],
      flags: grantFlags,
      examples: [
        `tenon ${kind} create nightly-report --instance <connector_id> --entity issues`,
        `tenon ${kind} create deploy --right read --right write --limit writes=10 --expires-in 90d`,
      ],
      load: async () => (await import("./callers.ts")).create(kind),
    }),
    command({
      name: `${kind} list`,
      summary: `list every ${kind} with what it may do and when it was last used`,
      stored: "accounts",
      arguments: [],
      flags: { config },
      examples: [`tenon ${kind} list`],
      load: async () => (await import("./callers.ts")).list(kind),
    }),
    command({
      name: `${kind} rotate`,
      summary: `give a ${kind} a new secret; the old one stays valid for a while`,
      stored: "accounts",
      arguments: [{ name: "id", help: `id of the ${kind}, or its name where no other has it` }],
      flags: { overlap, config },
      examples: [`tenon ${kind} rotate ${id}`, `tenon ${kind} rotate ${id} --overlap 0h`],
      load: async () => (await import("./callers.ts")).rotate(kind),
    }),
    command({
      name: `${kind} revoke`,
      summary: `revoke a ${kind}, which is refused from then on`,
      stored: "accounts",
      arguments: [{ name: "id", help: `id of the ${kind}, or its name where no other has it` }],
      flags: { config },
      examples: [`tenon ${kind} revoke ${id}`, `tenon ${kind} revoke nightly-report`],
      load: async () => (await import("./callers.ts")).revoke(kind),
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
  help: "kind of the credential, if the spec has several that fit",
};

const authorizeLater: Flag & { kind: "switch" } = {
  kind: "switch",
  help: "read no credential: print the address of the platform's page on which a user authorizes the connector",
};

/** The commands for connectors that are stored with a credential of their own. */
const connectorCommands: readonly Command[] = [
  command({
    name: "connector add",
    summary: "add a connector with its own account; the credential is read from standard input",
    stored: "accounts",
    arguments: [{ name: "connector", help: "name of the spec, such as my-platform" }],
    flags: {
      id: { kind: "text", value: "CONNECTOR_ID", help: "id in addresses (default: the name of the spec and eight letters)" },
      workspace: { kind: "text", value: "NAME", help: "workspace that it belongs to (default: default)" },
      organization: { kind: "text", value: "ID", help: "organization that the workspace belongs to" },
      "base-url": { kind: "text", value: "ADDRESS", help: "address of the platform's REST API, if it is not the usual one" },
      "graphql-url": {
        kind: "text",
        value: "ADDRESS",
        help: "address of its GraphQL API, if it does not follow from the other",
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
    load: async () => (await import("./connectors.ts")).add,
  }),
  command({
    name: "connector list",
    summary: "list the connectors that were added",
    stored: "accounts",
    arguments: [],
    flags: { config },
    examples: ["tenon connector list"],
    load: async () => (await import("./connectors.ts")).list,
  }),
  command({
    name: "connector show",
    summary: "show one connector that was added, without its credential",
    stored: "accounts",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: { config },
    examples: ["tenon connector show team-a"],
    load: async () => (await import("./connectors.ts")).show,
  }),
  command({
    name: "connector rotate",
    summary: "replace the credential of a connector; the new one is read from standard input",
    stored: "accounts",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: { "credential-kind": credentialKind, "credential-file": credentialFile, authorize: authorizeLater, config },
    examples: ["tenon connector rotate team-a --credential-file token.txt"],
    load: async () => (await import("./connectors.ts")).rotate,
  }),
  command({
    name: "connector authorize",
    summary: "print the address of the page on which a user of the platform authorizes a connector",
    stored: "accounts",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: { config },
    examples: ["tenon connector authorize team-a"],
    load: async () => (await import("./connectors.ts")).authorize,
  }),
  command({
    name: "connector remove",
    summary: "remove a connector that was added, with its credential and its cached records",
    stored: "accounts",
    arguments: [{ name: "connector_id", help: "id of the connector" }],
    flags: { config },
    examples: ["tenon connector remove team-a"],
    load: async () => (await import("./connectors.ts")).remove,
  }),
];

/** The commands for callers and stored connectors. */
export const operatorCommands: readonly Command[] = [
  ...connectorCommands,
  ...webhookCommands,
  ...callerCommands("key", "an API key, which a caller sends as it is", "key_4f0Zr8s1mXqA"),
  ...callerCommands("client", "a client, which exchanges its id and secret for short-lived tokens", "client_4f0Zr8s1mXqA"),
];
