import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { github } from "../../generated/github/index.ts";
import { schemaNames } from "../../runtime/contract/index.ts";
import { serviceDocument } from "../../runtime/server/openapi/document.ts";

interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly anyOf?: readonly { readonly properties?: object }[] }>>;
  };
}

const service = JSON.parse(await serviceDocument(new Map([["github", github.openapi]]), "test")) as Document;
const connector = JSON.parse(readFileSync(github.openapi, "utf8")) as Document;

function compiler(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  formats.default(ajv);
  ajv.addSchema(document, "openapi");
  const made = new Map<string, ValidateFunction>();
  return (key: string, schema: () => object): ValidateFunction => {
    const known = made.get(key) ?? ajv.compile(absolute(schema()));
    made.set(key, known);
    return known;
  };
}

/** References of a part of the document, which hold only within it, as references to the document. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')) as object;
}

const named = (name: string) => () => ({ $ref: `#/components/schemas/${name}` });
const ofService = compiler(service);
const ofConnector = compiler(connector);

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const executePath = /^\/api\/v1\/integrations\/connectors\/[^/]+\/execute$/;

/**
 * Faults of an answer against the OpenAPI documents: the route has to list the status and the type, and the answer has to fit its
 * schema. The answer to an action is held against the schema of exactly this action.
 */
export function faultsOf({ method, path, body, status, type, text }: Exchange): readonly string[] {
  const [address = ""] = path.split("?");
  const route = routes.find(({ pattern }) => pattern.test(address))?.route;
  const operation = route === undefined ? undefined : service.paths[route]?.[method.toLowerCase()];
  const media = type.split(";")[0] ?? "";
  if (operation === undefined) {
    // What is at no address, or does not take the method, is answered with a problem all the same.
    const validate = ofService("problem", named("tenon.problem"));
    return text === "" ? [] : check(validate, JSON.parse(text));
  }
  const response = operation.responses[String(status)];
  if (response !== undefined && response.content === undefined) return text === "" ? [] : [`${route} ${status} has no body`];
  const content = response?.content?.[media];
  if (content === undefined) return [`${method} ${route} does not list ${status} ${media}`];
  if (media.startsWith("text/") || text === "") return [];
  const value: unknown = JSON.parse(text);
  // The schema of the route is one of all answers together. That of the action says more, and takes far less time to prepare.
  if (status === 200 && executePath.test(path) && isNamed(body)) return actionFaults(body, value);
  const validate = ofService(`${method} ${route} ${status} ${media}`, () => content.schema);
  return check(validate, value);
}

/** Whether the names of the action can be seen: a test of HTTP itself sends bytes. */
function isNamed(body: unknown): boolean {
  return (body as { entity?: string }).entity !== undefined;
}

const routes = Object.keys(service.paths).map((route) => {
  const pattern = route.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+");
  return { route, pattern: new RegExp(`^${pattern}$`) };
});

function actionFaults(body: unknown, value: unknown): readonly string[] {
  const { entity, action, params = {} } = body as { entity: string; action: string; params?: Record<string, unknown> };
  const { request: asked, answer: name } = schemaNames(entity, action);
  const request = check(ofConnector(asked, named(asked)), body);
  const { meta } = value as { meta: { warnings?: unknown } };
  const partial = ["fields", "groupBy", "semantic"].some((param) => params[param] !== undefined);
  const whole = meta.warnings === undefined && !partial && params["dryRun"] !== true;
  const schema = whole ? () => complete(connector.components.schemas[name]) : named(name);
  return [...request.map((text) => `request: ${text}`), ...check(ofConnector(`${name} ${whole}`, schema), value)];
}

/** The same schema of an answer, in which every record has to be complete: the first of the alternatives wherever there are several. */
function complete(schema: unknown): object {
  return JSON.parse(
    JSON.stringify(schema, (_key, value: unknown) => {
      if (typeof value !== "object" || value === null || !("anyOf" in value) || !Array.isArray(value.anyOf)) return value;
      const nullable = value.anyOf.some((one: { type?: unknown }) => one.type === "null");
      return nullable ? value : value.anyOf[0];
    }),
  ) as object;
}

/** With a warning, null may stand in the place of a value that the platform did not give. */
function check(validate: ValidateFunction, value: unknown): string[] {
  const warned = (value as { meta?: { warnings?: unknown[] } }).meta?.warnings !== undefined;
  if (validate(warned ? withoutNulls(value) : value)) return [];
  return (validate.errors ?? [])
    .slice(0, 10)
    .map(({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`);
}

/** The members that are null left out, as if they had not been asked for. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      inner === null && key !== "data" && !/cursor|synced_at/.test(key) ? undefined : inner,
    ),
  );
}
