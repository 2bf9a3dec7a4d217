import type { Cost } from "../../../simulator/graphql/api.ts";
import { pageSize, type SelectedField } from "../../../simulator/graphql/document.ts";
import { locations } from "../../../simulator/graphql/locations.ts";
import type { PlatformError } from "../../../simulator/graphql/platform-error.ts";

const nodeLimit = 500_000;

/** What a document may touch at most, by the platform's published sums: nodes, and a hundredth of the requests for points. */
export function costOf(fields: readonly SelectedField[]): Cost {
  const connections = fields.filter((field) => field.isConnection);
  const nodes = connections.reduce((sum, field) => sum + field.times * pageSize(field), 0);
  const requests = connections.reduce((sum, field) => sum + field.times, 0);
  return { nodes, points: Math.max(1, Math.round(requests / 100)) };
}

/** Refusals that need no data: page bounds of every connection in the document, and the number of nodes. */
export function limitErrors(fields: readonly SelectedField[]): PlatformError[] {
  const errors = fields.filter((field) => field.isConnection).flatMap(boundErrors);
  const { nodes } = costOf(fields);
  if (errors.length > 0 || nodes <= nodeLimit) return errors;
  const message = `This query requests up to ${nodes.toLocaleString("en-US")} possible nodes which exceeds the maximum limit of 500,000.`;
  return [{ type: "MAX_NODE_LIMIT_EXCEEDED", message }];
}

function boundErrors(field: SelectedField): PlatformError[] {
  const name = field.node.name.value;
  const refuse = (type: string, message: string): PlatformError[] => [
    { type, path: field.path, locations: locations(field.node.loc), message },
  ];
  const given = (["first", "last"] as const).filter((bound) => typeof field.args[bound] === "number");
  if (given.length > 1) {
    return refuse(
      "EXCESSIVE_PAGINATION_BOUNDARIES",
      `Passing both \`first\` and \`last\` values to paginate the \`${name}\` connection is not supported.`,
    );
  }
  const [bound] = given;
  // Reading only `totalCount` needs no page.
  const needsPage = field.children.some((child) => child === "nodes" || child === "edges" || child === "pageInfo");
  if (bound === undefined) {
    const message = `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`;
    return needsPage ? refuse("MISSING_PAGINATION_BOUNDARIES", message) : [];
  }
  const size = pageSize(field);
  if (size < 1) return refuse("ARGUMENT_LIMIT", `\`${bound}\` on the \`${name}\` connection cannot be less than one.`);
  if (size <= 100) return [];
  const message = `Requesting ${size} records on the \`${name}\` connection exceeds the \`${bound}\` limit of 100 records.`;
  return refuse("EXCESSIVE_PAGINATION", message);
}
