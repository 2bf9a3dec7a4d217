import { createRequire } from "node:module";
import type { Ajv, ErrorObject, ValidateFunction } from "ajv";

/** An operation of a description: its method, and its path with places (`/repos/{owner}/{repo}/issues`). */
export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
}

type Schema = Readonly<Record<string, unknown>>;
interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema } | undefined>>;
}
interface Reference {
  readonly $ref?: string;
}
interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<string, { readonly requestBody?: Content & Reference; readonly responses: Readonly<Record<string, Schema>> }>
      >
    >
  >;
  readonly components: {
    readonly schemas: Schema;
    readonly responses: Readonly<Record<string, Content>>;
    readonly requestBodies?: Readonly<Record<string, Content>>;
  };
}

const require = createRequire(import.meta.url);

/** The published description of a REST API in OpenAPI 3.0. It is read when it is first asked: compiling its schemas takes a moment. */
export class Description {
  readonly #read: () => unknown;
  readonly #validators = new Map<string, ValidateFunction>();
  #loaded: { readonly openApi: OpenApi; readonly ajv: Ajv; readonly ajvOfForms: Ajv } | undefined;

  /** @param read gives the description as JSON; called once */
  constructor(read: () => unknown) {
    this.#read = read;
  }

  /**
   * What is wrong with a request body: nothing where the operation takes none, or is not described.
   *
   * @param type its media type. The texts of a form become numbers and booleans where the description has such.
   */
  requestErrors(operation: DescribedOperation, body: unknown, type = "application/json"): readonly ErrorObject[] {
    const described = this.#find(operation)?.requestBody;
    if (described === undefined) return [];
    const content =
      described.$ref === undefined ? described : this.#load().openApi.components.requestBodies?.[lastKey(described.$ref)];
    const schema = content?.content[type]?.schema;
    if (schema === undefined) return [wrongType];
    return this.#errorsOf(`${operation.method} ${operation.path}`, schema, body, type !== "application/json");
  }

  /**
   * What is wrong with an answer, for tests.
   *
   * @throws Error for an operation or a status that is not described
   */
  responseErrors(operation: DescribedOperation, status: number, body: unknown): readonly ErrorObject[] {
    const response = this.#find(operation)?.responses[String(status)];
    const name = `${operation.method} ${operation.path} ${status}`;
    if (response === undefined) throw new Error(`the REST description lacks ${name}`);
    const reference = response["$ref"];
    const key = typeof reference === "string" ? lastKey(reference) : "";
    const described = key === "" ? (response as unknown) : this.#load().openApi.components.responses[key];
    return this.#errorsOf(name, (described as Content).content["application/json"]?.schema ?? {}, body);
  }

  #find({ method, path }: DescribedOperation) {
    return this.#load().openApi.paths[path]?.[method.toLowerCase()];
  }

  #load() {
    if (this.#loaded !== undefined) return this.#loaded;
    const openApi = nullable(this.#read()) as OpenApi;
    // Loaded here and not at the start: most runs of a simulator never need a validator.
    const { Ajv: AjvClass } = require("ajv") as typeof import("ajv");
    const formats = require("ajv-formats") as typeof import("ajv-formats");
    const made = (coerceTypes: boolean) => {
      const ajv = new AjvClass({ strict: false, allErrors: true, logger: false, coerceTypes });
      formats.default(ajv);
      ajv.addSchema({ $id: "description", components: openApi.components });
      return ajv;
    };
    this.#loaded = { openApi, ajv: made(false), ajvOfForms: made(true) };
    return this.#loaded;
  }

  #errorsOf(name: string, schema: Schema, value: unknown, form = false): readonly ErrorObject[] {
    const { ajv, ajvOfForms } = this.#load();
    const validator = this.#validators.get(name) ?? (form ? ajvOfForms : ajv).compile(schema);
    this.#validators.set(name, validator);
    return validator(value) ? [] : (validator.errors ?? []);
  }
}

function lastKey(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

/** The error of a body in a form that the operation does not take. */
const wrongType: ErrorObject = {
  instancePath: "",
  schemaPath: "",
  keyword: "contentType",
  params: {},
  message: "has a content type that this call does not take",
};

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
