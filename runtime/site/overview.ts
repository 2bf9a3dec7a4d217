// Writes the picture of the README, overview.svg: what follows from the spec of the connector with the most entities.
//
//   node runtime/site/overview.ts

import { readFileSync, writeFileSync } from "node:fs";
import { camelCase } from "../client/names.ts";
import { type Connector, connectives, fieldOperators } from "../contract/index.ts";
import { connectors } from "../main/connectors.ts";
import { tools } from "../mcp/tools.ts";
import { escapeHtml } from "./html.ts";

export const overviewFile = new URL("overview.svg", import.meta.url);

const operators = Object.keys(fieldOperators).length + Object.keys(connectives).length;
const row = 44;
const width = 860;
const right = { x: 450, width: 402 } as const;
const left = { x: 8, width: 350 } as const;

/** The picture, with colours of its own: a page that shows it as an image gives it no style. */
export function overviewSvg(): string {
  const connector = [...connectors].sort((a, b) => size(b) - size(a))[0] as Connector;
  const { name, client, entity, spec, read } = shown(connector);
  const ways = [
    ["HTTP endpoint", `POST …/connectors/${name}/execute`],
    ["Search", `${operators} operators, and by meaning`],
    ["Tools for agents (MCP)", read],
    ["Command line", `tenon ${name} ${entity} list`],
    ["TypeScript client", `${client}.${camelCase(entity)}.list({ … })`],
  ] as const;
  const height = ways.length * row + 48;
  const middle = 32 + (ways.length * row) / 2;
  const boxes = ways.map(([title, code], index) => {
    const y = 32 + index * row;
    return (
      `<path d="M${left.x + left.width} ${middle}C${right.x - 46} ${middle} ${right.x - 46} ${y + 18} ${right.x - 4} ${y + 18}" fill="none" stroke="#b4541a"/>` +
      `<rect x="${right.x}" y="${y}" width="${right.width}" height="36" rx="6" fill="#fff" stroke="#c9bfae"/>` +
      `<text x="${right.x + 12}" y="${y + 23}" font-weight="600">${escapeHtml(title)}</text>` +
      `<text x="${right.x + right.width - 12}" y="${y + 23}" text-anchor="end" class="code">${escapeHtml(code)}</text>`
    );
  });
  const lines = spec.map(
    (line, index) =>
      `<text x="${left.x + 14}" y="${58 + index * 19}" class="code" xml:space="preserve">${escapeHtml(line)}</text>`,
  );
  const label = `From the spec of an entity follow: ${ways.map(([title]) => title).join(", ")}.`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    "<style>text{font:13px system-ui,sans-serif;fill:#2a2520}.code{font:12px ui-monospace,monospace;fill:#5c5246}</style>",
    `<rect width="${width}" height="${height}" rx="10" fill="#faf6ef"/>`,
    `<text x="${left.x + 2}" y="22" font-weight="600">spec/${name}/${entity}.yaml</text>`,
    `<rect x="${left.x}" y="32" width="${left.width}" height="${height - 44}" rx="6" fill="#fff" stroke="#c9bfae"/>`,
    ...lines,
    ...boxes,
    "</svg>",
  ].join("\n")}\n`;
}

function size({ entities }: Connector): number {
  return Object.keys(entities).length;
}

/** What the picture shows of a connector: the entity of its example. */
function shown(connector: Connector) {
  const { name, example } = connector;
  const { entity } = example;
  const text = readFileSync(new URL(`../../spec/${name}/${entity}.yaml`, import.meta.url), "utf8");
  const value = (key: string) => new RegExp(`^${key}: .*$`, "m").exec(text)?.[0] ?? "";
  const actions = Object.keys(connector.entities[entity]?.actions ?? {});
  const [first = ""] = /(?<=^fields: *\{\s*)[\w, ]+/m.exec(text) ?? [];
  const fields = first
    .split(",")
    .map((name) => name.trim())
    .filter(Boolean)
    .slice(0, 3);
  const read = tools.find(({ name: tool }) => tool === "read");
  return {
    name,
    client: name,
    entity,
    read: `${read?.name} { entity: "${entity}" }`,
    spec: [
      value("entity"),
      value("record"),
      `fields: { ${fields.join(", ")}, … }`,
      "actions:",
      ...actions.map((action) => `  ${action}: { … }`),
    ],
  };
}

if (import.meta.main) writeFileSync(overviewFile, overviewSvg());
