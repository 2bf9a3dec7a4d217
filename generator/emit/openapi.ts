import {
  answerHeaders,
  problemResponses,
  problemSchemas,
  schemaNames,
  sqlAction,
  storeAction,
} from "../../runtime/contract/index.ts";
import type { ConnectorModel, EntityModel } from "../model/types.ts";
import { compactJson } from "../print/compact-json.ts";
import { type ConnectorEmitter, generatedHeader } from "./emitter.ts";
import { actionSchemas, additionMark, metaSchemas } from "./openapi/actions.ts";
import { recordSchemas } from "./openapi/records.ts";
import { reference, type Schema } from "./openapi/schema.ts";
import { cacheSchemas, searchSchemas } from "./openapi/search.ts";

/**
 * `openapi.json`: the execute endpoint of the connector as OpenAPI 3.1, with a schema of every record, request and answer. Each schema is
 * one line.
 */
export const openapiEmitter: ConnectorEmitter = {
  connector: (model) => [{ path: "openapi.json", text: compactJson(documentOf(model), 3) }],
};

function documentOf(model: ConnectorModel): Schema {
  return {
    openapi: "3.1.0",
    "x-generated": generatedHeader(model.file),
    info: {
      title: `Tenon: ${model.title}`,
      version: "v1",
      description: model.doc,
      contact: { name: "The operator of this service" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: [{ name: "Actions", description: `Run the actions of ${model.title}.` }],
    paths: { "/api/v1/integrations/connectors/{connector_id}/execute": { post: executeOperation(model) } },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: schemasOf(model),
    },
  };
}

function executeOperation({ name, title, example }: ConnectorModel): Schema {
  return {
    operationId: "execute",
    tags: ["Actions"],
    summary: "Run one action of one entity",
    description: `Runs an action on ${title}. \`entity\` and \`action\` decide which parameters the request takes and what it returns.`,
    parameters: [
      {
        name: "connector_id",
        in: "path",
        required: true,
        description: "Id of the connector instance.",
        schema: { type: "string", minLength: 1 },
        example: name,
      },
    ],
    requestBody: {
      required: true,
      content: { "application/json": { schema: reference("request"), example } },
    },
    responses: {
      "200": {
        description: "The response of the action.",
        headers: answerHeaders,
        content: { "application/json": { schema: reference("answer") } },
      },
      ...problemResponses(),
    },
  };
}

function schemasOf(model: ConnectorModel): Readonly<Record<string, Schema>> {
  const { entities } = model;
  const actions = entities.flatMap((entity) => entity.actions.map((action) => actionSchemas(action, model)));
  const searches = entities.filter(isSearched).map(searchSchemas);
  const names = entities.flatMap((entity) => actionsOf(entity).map((action) => schemaNames(entity.name, action).answer));
  const answers = [...new Set(names)].map(reference);
  return {
    request: oneOf(
      "entity",
      entities.map(({ name }) => [name, `${name}.request`]),
    ),
    answer: {
      description:
        "The schema `<entity>.<action>.answer` describes the response of each action. If `meta.warnings` has an entry, a value that the platform did not return may be null.",
      anyOf: answers,
    },
    ...Object.fromEntries(entities.map((entity) => [`${entity.name}.request`, entityRequest(entity)])),
    ...Object.assign({}, ...actions, ...searches),
    ...recordSchemas(model),
    ...metaSchemas(model),
    ...cacheSchemas,
    ...problemSchemas,
  };
}

function isSearched({ sync }: EntityModel): boolean {
  return sync.length > 0;
}

function actionsOf(entity: EntityModel): string[] {
  return [...entity.actions.map(({ name }) => name), ...(isSearched(entity) ? [storeAction, sqlAction] : [])];
}

function entityRequest(entity: EntityModel): Schema {
  const { name, doc } = entity;
  return {
    type: "object",
    description: doc,
    ...additionMark(entity.addition),
    // The property by which a schema is chosen has to be in the schema itself. Its requests say more about the others.
    properties: { entity: { const: name }, action: { type: "string" }, params: { type: "object" }, intent: { type: "string" } },
    required: ["entity", "action"],
    ...oneOf(
      "action",
      actionsOf(entity).map((action) => [action, schemaNames(name, action).request]),
    ),
  };
}

/** One of several schemas, told apart by the value of a property. */
function oneOf(property: string, schemas: readonly (readonly [value: string, name: string])[]): Schema {
  return {
    oneOf: schemas.map(([, name]) => reference(name)),
    discriminator: {
      propertyName: property,
      mapping: Object.fromEntries(schemas.map(([value, name]) => [value, `#/components/schemas/${name}`])),
    },
  };
}
