import { type Command, command, config, type Flags } from "../command.ts";

/** Flags that name the description of a platform, from which a spec is drafted. */
const described = {
  graphql: { kind: "text", value: "FROM", help: "GraphQL schema (SDL): a file, an address, or package@version/path of npm" },
  openapi: { kind: "text", value: "FROM", help: "OpenAPI description (3.0 or 3.1, JSON or YAML): as with --graphql" },
  only: {
    kind: "list",
    value: "NAME",
    help: "only this entity, alone or with its list: name=path.of.the.list in a schema, name=/path or name='POST /path' in an OpenAPI description; separated by commas, or repeated",
  },
} as const satisfies Flags;

/** The commands for whoever writes specs. */
export const specCommands: readonly Command[] = [
  command({
    name: "init",
    summary: "make a folder with a connector that generates, tests and serves: a small one, or a draft from a description",
    arguments: [{ name: "folder", help: "folder to make; its name becomes that of the connector" }],
    flags: described,
    examples: ["tenon init my-connector", "tenon init shop --openapi openapi.yaml"],
    load: () => import("./init.ts"),
  }),
  command({
    name: "generate",
    summary: "write the code of connectors from their specs",
    arguments: [],
    flags: {
      spec: { kind: "text", value: "FOLDER", help: "folder with a folder of YAML per connector (default: spec)" },
      out: { kind: "text", value: "FOLDER", help: "folder that is written (default: generated)" },
      check: { kind: "switch", help: "write nothing, and fail if a generated file differs" },
      watch: { kind: "switch", help: "generate again on every save" },
    },
    examples: ["tenon generate", "tenon generate --spec my-specs --out src/generated --watch"],
    load: async () => (await import("./generate.ts")).generate,
  }),
  command({
    name: "docs",
    summary: "build the reference pages of your own connectors, which the service then shows at /docs/<connector>",
    arguments: [],
    flags: {
      generated: { kind: "text", value: "FOLDER", help: "folder that `tenon generate` has written (default: generated)" },
      out: { kind: "text", value: "FOLDER", help: "folder that is written (default: dist/docs)" },
    },
    examples: ["tenon docs", "tenon docs --generated src/generated --out public"],
    load: async () => (await import("./docs.ts")).docs,
  }),
  command({
    name: "spec check",
    summary: "check specs, and write nothing",
    arguments: [],
    flags: { spec: { kind: "text", value: "FOLDER", help: "folder with a folder of YAML per connector (default: spec)" } },
    examples: ["tenon spec check", "tenon spec check --spec my-specs"],
    load: async () => (await import("./generate.ts")).specCheck,
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
      check: { kind: "switch", help: "exit with status 1 if a change is breaking" },
    },
    examples: ["tenon spec diff HEAD", "tenon spec diff v1.0.0 v1.1.0 --check", "tenon spec diff old-specs spec"],
    load: () => import("./spec-diff.ts"),
  }),
  command({
    name: "drift",
    summary: "list what another description of a platform means for a connector: what breaks, what is deprecated, what is new",
    arguments: [{ name: "connector", help: "folder of its spec, such as my-platform" }],
    flags: {
      against: {
        kind: "text",
        value: "FROM",
        help: "the other description, usually a newer one: a file, an address, or package@version/path of npm",
      },
      from: {
        kind: "text",
        value: "FROM",
        help: "list what is new since this description (default: since the one that the spec names)",
      },
      spec: { kind: "text", value: "FOLDER", help: "folder with a folder of YAML per connector (default: spec)" },
      json: { kind: "switch", help: "print JSON, on a terminal too" },
      config,
    },
    examples: ["tenon drift shop --against openapi.yaml", "tenon drift tracker --against @tracker/schema@latest/schema.graphql"],
    load: () => import("./drift.ts"),
  }),
  command({
    name: "spec extract",
    summary: "write the part of a platform's description that a spec uses to the file that the spec names",
    arguments: [
      { name: "connector", help: "folder of its spec, such as my-platform" },
      { name: "from", help: "the whole description: a file, an address, or package@version/path of npm" },
    ],
    flags: {
      as: {
        kind: "text",
        value: "ORIGIN",
        help: "origin to name in the extract (default: the name of the file, address or package)",
      },
      spec: { kind: "text", value: "FOLDER", help: "folder with a folder of YAML per connector (default: spec)" },
    },
    examples: ["tenon spec extract shop openapi.yaml", "tenon spec extract tracker @tracker/schema@1.2.0/schema.graphql"],
    load: () => import("./spec-extract.ts"),
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
      "tenon spec init talk --openapi openapi.yaml --only rooms=/rooms.list --only 'posts=POST /posts/query'",
      "tenon spec init tracker --graphql schema.graphql --only issues,comments",
    ],
    load: async () => (await import("./spec-init.ts")).specInit,
  }),
];
