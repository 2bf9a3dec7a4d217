import { readFile } from "node:fs/promises";
import { answerHeaders, problemResponses, problemSchemas } from "../../contract/index.ts";
import { operationOf } from "./operation.ts";
import { type RouteTag, routeTags } from "./route-doc.ts";
import { routeDocs } from "./routes.ts";

/** A document of a connector, as the generator wrote it. */
interface ConnectorDocument {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, { readonly post: { readonly requestBody: RequestBody } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

interface RequestBody {
  readonly content: { readonly "application/json": { readonly example: unknown } };
}

const executePath = "/api/v1/integrations/connectors/{connector_id}/execute";
const referencePrefix = "#/components/schemas/";

/**
 * The OpenAPI document of the service: all routes, and the schemas of all connectors under the connectors' names (`github.Issue`).
 *
 * @param connectors the documents of the connectors by their names
 * @returns JSON
 */
export async function serviceDocument(connectors: ReadonlyMap<string, URL>, version: string): Promise<string> {
  const documents = await Promise.all(
    [...connectors].map(async ([name, url]) => [name, JSON.parse(await readFile(url, "utf8")) as ConnectorDocument] as const),
  );
  const schemas = documents.flatMap(([connector, { components }]) =>
    Object.entries(components.schemas).map(([name, schema]) => [renamed(name, connector), withNames(schema, connector)]),
  );
  const paths: Record<string, Record<string, object>> = { [executePath]: { post: executeOperation(documents) } };
  for (const one of routeDocs) {
    const [method = "", path = ""] = one.route.split(" ");
    paths[path] = { ...paths[path], [method]: operationOf(one) };
  }
  return JSON.stringify({
    openapi: "3.1.0",
    info: {
      title: "Tenon",
      version,
      description: "Uniform access to the data of platforms: one endpoint that runs the actions of all connectors.",
      contact: { name: "The operator of this service" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: Object.entries(routeTags).map(([name, about]) => ({ name, description: about })),
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: { ...Object.fromEntries(schemas), ...problemSchemas },
    },
  });
}

function executeOperation(documents: readonly (readonly [string, ConnectorDocument])[]): object {
  const each = (name: string) => {
    const [first, ...others] = documents.map(([connector]) => ({ $ref: `${referencePrefix}${connector}.${name}` }));
    return others.length === 0 ? (first ?? {}) : { anyOf: [first, ...others] };
  };
  const examples = documents.map(([connector, { paths }]) => [
    connector,
    { value: paths[executePath]?.post.requestBody.content["application/json"].example },
  ]);
  return {
    operationId: "execute",
    tags: ["Actions" satisfies RouteTag],
    summary: "Run one action of one entity",
    description:
      "The connector in the address, `entity` and `action` decide which parameters the request takes and what it returns.",
    parameters: [
      {
        name: "connector_id",
        in: "path",
        required: true,
        description: "Id of the connector instance.",
        schema: { type: "string", minLength: 1 },
      },
    ],
    requestBody: {
      required: true,
      content: { "application/json": { schema: each("request"), examples: Object.fromEntries(examples) } },
    },
    responses: {
      "200": {
        description: "The response of the action.",
        headers: answerHeaders,
        content: { "application/json": { schema: each("answer") } },
      },
      ...problemResponses(),
    },
  };
}

/** Schemas of the service itself have one name in all documents; those of a connector get its name before theirs. */
function renamed(name: string, connector: string): string {
  return name.startsWith("tenon.") ? name : `${connector}.${name}`;
}

/** The same schema with the new names in its references. */
function withNames(value: unknown, connector: string): unknown {
  if (typeof value === "string" && value.startsWith(referencePrefix))
    return referencePrefix + renamed(value.slice(referencePrefix.length), connector);
  if (Array.isArray(value)) return value.map((one) => withNames(one, connector));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withNames(inner, connector)]));
}
