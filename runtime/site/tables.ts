import { markdownTable } from "../../generator/print/markdown.ts";
import { errorCodes } from "../base/error-codes.ts";
import { errorSources } from "../base/error-row.ts";
import { storedNote } from "../cli/command.ts";
import { commands } from "../cli/commands.ts";
import { mcpClients } from "../cli/mcp/mcp-clients.ts";
import { localConfiguration } from "../cli/mcp/mcp-setup.ts";
import { connectives, fieldOperators, warningCodes } from "../contract/index.ts";
import { settingsTable } from "../main/settings/settings-table.ts";
import { routeDocs } from "../server/openapi/routes.ts";
import { answerTable, attemptTable, countTable, requestTable, serviceTable } from "./limits.ts";
import { rooms } from "./rooms.ts";
import type { ConnectorSource } from "./sources.ts";

// Tables of the written pages, made from the tables of the program. A page has a line `<!-- table: name -->` where a table belongs.

const operands = {
  value: "a value of the field's type",
  nullable: "a value of the field's type, or `null`",
  list: "a list of values, `null` allowed",
  text: "a text",
} as const;

/** Types of fields in words: every type, text alone, or all that have an order. */
function typesText(types: readonly string[]): string {
  const all = fieldOperators.eq.types.length;
  return types.length === all ? "any" : types.length === 1 ? "text" : "all but boolean";
}

function operators(): string {
  const fields = Object.entries(fieldOperators).map(([name, { operand, types, onNull, doc }]) => [
    `\`${name}\``,
    operands[operand],
    typesText(types),
    doc,
    onNull,
  ]);
  const joining = Object.entries(connectives).map(([name, doc]) => [
    `\`${name}\``,
    name === "not" ? "a condition" : "a list of conditions",
    "",
    doc,
    "",
  ]);
  return markdownTable(
    ["operator", "operand", "types of fields", "true when", "finds records without a value"],
    [...fields, ...joining],
  );
}

function errors(): string {
  const rows = Object.entries(errorCodes).sort(([, a], [, b]) => a.status - b.status);
  return markdownTable(
    ["code", "what it means", "status", "retry", "exit status", "response to"],
    rows.map(([code, { status, retryable, exit, from, title }]) => [
      `[\`${code}\`](errors/${code}.md)`,
      `${title}.`,
      String(status),
      retryable ? "yes" : "",
      String(exit),
      from.map((source) => errorSources[source]).join("; "),
    ]),
  );
}

function warnings(): string {
  const rows = Object.entries(warningCodes).map(([code, { doc }]) => [`\`${code}\``, doc]);
  return markdownTable(["code", "what it means"], rows);
}

function settings(): string {
  const rows = Object.entries(settingsTable).map(([name, { env, default: fallback, doc }]) => [
    `\`${env}\``,
    `\`${name}\``,
    `\`${JSON.stringify(fallback)}\``,
    doc,
  ]);
  return markdownTable(["variable", "key in the file", "default", "what it is"], rows);
}

function commandTable(): string {
  return commands
    .map(({ name, summary, stored, arguments: args, flags, examples }) => {
      const parts = [
        ...args.map(({ name: argument, help }) => [`\`<${argument}>\``, help] as const),
        ...Object.entries(flags).map(
          ([flag, plan]) => [`\`--${flag}${plan.kind === "switch" ? "" : ` ${plan.value}`}\``, plan.help] as const,
        ),
      ];
      const table = parts.length === 0 ? "" : `\n\n${markdownTable(["argument", "what it is"], parts)}`;
      const note = stored === undefined ? "" : ` ${storedNote}`;
      return `## ${name}\n\n\`tenon ${name}\`: ${summary}.${note}${table}\n\n\`\`\`sh\n${examples.join("\n")}\n\`\`\``;
    })
    .join("\n\n");
}

function routes(): string {
  const rows = routeDocs.map(({ route, summary, open }) => {
    const [method = "", path = ""] = route.split(" ");
    return [`\`${method.toUpperCase()} ${path}\``, open ? "" : "yes", `${summary}.`];
  });
  const execute = ["`POST /api/v1/integrations/connectors/{connector_id}/execute`", "yes", "Run one action of one entity."];
  return markdownTable(["route", "needs a token", "what it does"], [execute, ...rows]);
}

/** The rooms below some folders. */
function roomTable(...folders: readonly string[]): string {
  const rows = Object.entries(rooms)
    .filter(([name]) => folders.includes(name.split("/")[0] ?? ""))
    .map(([name, { holds, imports }]) => [
      `\`${name}\``,
      `${holds.charAt(0).toUpperCase()}${holds.slice(1)}.`,
      imports.map((one) => `\`${one}\``).join(", "),
    ]);
  return markdownTable(["room", "what it holds", "may import from"], rows);
}

/** What `tenon mcp setup` prints for each client and one connector, with paths of no machine, as blocks that become tabs. */
function clients(_sources: readonly ConnectorSource[], connector: string, secret: string): string {
  const server = {
    command: "/path/to/node",
    args: ["/path/to/tenon/runtime/cli/tenon.js", "mcp", "--connector", connector],
    env: { TENON_DATA_DIR: "/path/to/tenon/.tenon" },
    secrets: [secret],
  };
  return Object.entries(mcpClients)
    .map(([name, client]) => `\`\`\`${client.format} tab ${name}\n${localConfiguration(client, server)}\`\`\``)
    .join("\n\n");
}

/** @param first, second the words after the name of a table */
type Table = (connectors: readonly ConnectorSource[], first: string, second: string) => string;

const tables: Readonly<Record<string, Table>> = {
  operators,
  errors,
  warnings,
  settings,
  limits: requestTable,
  pages: countTable,
  answers: answerTable,
  service: serviceTable,
  attempts: attemptTable,
  commands: commandTable,
  clients,
  routes,
  runtimeRooms: () => roomTable("runtime", "generated"),
  generatorRooms: () => roomTable("generator"),
};

/** Puts the tables into a written page. A line may give two words to its table. @throws Error for a table that there is not */
export function withTables(markdown: string, connectors: readonly ConnectorSource[]): string {
  return markdown.replace(/^<!-- table: (\w+)(?: (\w+) (\w+))? -->$/gm, (_, name: string, first = "", second = "") => {
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (table === undefined) throw new Error(`there is no table "${name}" (allowed: ${Object.keys(tables).join(", ")})`);
    return table(connectors, first, second);
  });
}
