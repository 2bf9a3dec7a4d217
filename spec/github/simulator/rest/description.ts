import { readFileSync } from "node:fs";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import formats from "ajv-formats";

/** The four writes that the platform's REST description describes. */
export type Operation = "issues.create" | "issues.update" | "comments.create" | "pull_requests.create";

type Schema = Readonly<Record<string, unknown>>;
interface Content {
  readonly content: { readonly "application/json": { readonly schema: Schema } };
}
interface Description {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly requestBody: Content; readonly responses: Readonly<Record<string, Schema>> }>>
    >
  >;
  readonly components: { readonly schemas: Schema; readonly responses: Readonly<Record<string, Content>> };
}

const places: Readonly<Record<Operation, readonly [path: string, method: string]>> = {
  "issues.create": ["/repos/{owner}/{repo}/issues", "post"],
  "issues.update": ["/repos/{owner}/{repo}/issues/{issue_number}", "patch"],
  "comments.create": ["/repos/{owner}/{repo}/issues/{issue_number}/comments", "post"],
  "pull_requests.create": ["/repos/{owner}/{repo}/pulls", "post"],
};

interface Compiled {
  readonly description: Description;
  readonly ajv: Ajv;
  readonly validators: Map<string, ValidateFunction>;
}

let compiled: Compiled | undefined;

/** Read on the first write: reading it and compiling its schemas takes a moment. */
function load(): Compiled {
  if (compiled !== undefined) return compiled;
  const file = new URL("../../rest-description.json", import.meta.url);
  const description = nullable(JSON.parse(readFileSync(file, "utf8"))) as Description;
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  formats.default(ajv);
  ajv.addSchema({ $id: "description", components: description.components });
  compiled = { description, ajv, validators: new Map() };
  return compiled;
}

/** OpenAPI 3.0 writes `nullable: true` where JSON Schema has a type of null; and references get an absolute form. */
function nullable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nullable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] =>
    key === "$ref" && typeof inner === "string" ? [key, inner.replace(/^#/, "description#")] : [key, nullable(inner)],
  );
  const { nullable: mayBeNull, ...schema }: Record<string, unknown> = Object.fromEntries(entries);
  return mayBeNull === true
    ? { anyOf: [{ type: "null" }, schema] }
    : mayBeNull === undefined
      ? schema
      : { ...schema, nullable: mayBeNull };
}

function errorsOf(name: string, schema: () => Schema, value: unknown): readonly ErrorObject[] {
  const { ajv, validators } = load();
  const validator = validators.get(name) ?? ajv.compile(schema());
  validators.set(name, validator);
  return validator(value) ? [] : (validator.errors ?? []);
}

function operationOf(operation: Operation) {
  const [path, method] = places[operation];
  const found = load().description.paths[path]?.[method];
  if (found === undefined) throw new Error(`the REST description lacks ${method} ${path}`);
  return found;
}

/** What is wrong with a request body. */
export function requestErrors(operation: Operation, body: unknown): readonly ErrorObject[] {
  return errorsOf(`${operation}:request`, () => operationOf(operation).requestBody.content["application/json"].schema, body);
}

/** What is wrong with an answer, by the description; for tests. An undescribed status is an error. */
export function responseErrors(operation: Operation, status: number, body: unknown): readonly ErrorObject[] {
  const response = operationOf(operation).responses[String(status)];
  if (response === undefined) throw new Error(`${operation} does not describe ${status}`);
  const reference = response["$ref"];
  const name = typeof reference === "string" ? (reference.split("/").at(-1) ?? "") : "";
  const described = name === "" ? (response as unknown) : load().description.components.responses[name];
  return errorsOf(`${operation}:${status}`, () => (described as Content).content["application/json"].schema, body);
}
