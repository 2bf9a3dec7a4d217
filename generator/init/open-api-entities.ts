import { alternatives, elementSchema, isNullable, jsonTypes, propertyNames, propertySchema } from "../model/json-schema.ts";
import { sameField } from "../model/names.ts";
import { isJsonObject, isList, type JsonSchema, type OpenApi } from "../model/open-api.ts";
import type { PlatformDescription, RestParam } from "../model/platform-description.ts";
import {
  boundedParam,
  camel,
  type Draft,
  docOf,
  keyOfFields,
  longestName,
  recordName,
  searchOf,
  singular,
  todo,
  typeName,
} from "./draft.ts";
import { pageOf } from "./open-api-page.ts";
import { placesOf, type Resource, scopeOf } from "./open-api-resources.ts";

/** Drafts the entities of an OpenAPI description, and the types and enumerations that they share. */
export class OpenApiDraft {
  readonly types: Draft = {};
  readonly enums: Draft = {};
  /** Fields that became none, each with the reason. */
  readonly omitted: string[] = [];
  /** Lists whose pages the description does not explain. */
  readonly open: string[] = [];
  /** Names of types in lower case, and what has each. */
  readonly #names = new Map<string, unknown>();
  readonly #records = new Map<string, string>();
  readonly #api: OpenApi;
  readonly #platform: PlatformDescription;

  constructor(api: OpenApi, platform: PlatformDescription) {
    this.#api = api;
    this.#platform = platform;
  }

  /** Gives the records their names, before objects inside of others take them. */
  nameRecords(resources: readonly Resource[]): void {
    for (const one of resources) this.#records.set(one.name, this.#name(recordName(typeName(singular(one.name))), one));
  }

  /** A name of a type that nothing else has, in the length that the language allows. */
  #name(wanted: string, owner: unknown): string {
    const base = recordName(wanted.slice(0, longestName));
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}${count}`;
      const known = this.#names.get(name.toLowerCase());
      if (known !== undefined && known !== owner) continue;
      this.#names.set(name.toLowerCase(), owner);
      return name;
    }
  }

  entity({ name, path, list, at, record, item }: Resource): Draft {
    const type = this.#records.get(name) ?? "";
    const fields = this.#fields(record, type, true);
    const key = keyOfFields(fields) ?? "id";
    const { page, params, signs } = pageOf(list, this.#platform);
    if (page === todo) this.open.push(`${name}.yaml actions.list.page: the description does not explain the pages. ${signs}`);
    const own = this.#params(
      list.params.filter((one) => placesOf(path).includes(one.name) || !params.taken.includes(one.name)),
      path,
    );
    const actions: Draft = {
      list: {
        doc: this.#doc("get", path),
        params: { ...own, ...params.own },
        rest: `GET ${path}`,
        ...(at === undefined ? {} : { answer: at }),
        ...(page === undefined ? {} : { page }),
      },
      ...this.#others(path, item, record, fields, type),
    };
    return {
      entity: name,
      title: name.replaceAll("_", " ").replace(/^./, (letter) => letter.toUpperCase()),
      record: type,
      ...(key === "id" ? {} : { key }),
      doc: docOf(this.#platform.resolve(record)["description"]),
      fields,
      actions,
      sync: [{ scope: scopeOf(path) }],
    };
  }

  #doc(method: string, path: string): string {
    const operation = this.#api.operation(method, path)?.operation;
    return docOf(operation?.["summary"] ?? operation?.["description"]);
  }

  /** Reads of one record and writes, where their answers have the fields of the record. */
  #others(path: string, item: string | undefined, record: JsonSchema, fields: Draft, type: string): Draft {
    const actions: Draft = {};
    const rows: [name: string, method: string, at: string | undefined, effect?: string][] = [
      ["get", "GET", item],
      ["create", "POST", path],
      ["update", "PATCH", item],
      ["update", "PUT", item],
      ["update", "POST", item],
      ["delete", "DELETE", item, "idempotent"],
    ];
    for (const [name, method, place, effect] of rows) {
      if (place === undefined || Object.hasOwn(actions, name)) continue;
      const call = this.#platform.rest(method, place);
      if (call === undefined || call.deprecated) continue;
      const answer = this.#recordPlace(call.answer, record, fields);
      const removes = name === "delete" && answer === undefined && call.answer !== undefined;
      if (answer === undefined && call.answer !== undefined && !removes) continue;
      const wrapped = this.#bodyPlace(call.body);
      const body = wrapped === undefined ? call.body : propertySchema(call.body ?? {}, wrapped, this.#platform);
      const params = { ...this.#params(call.params, place), ...(body === undefined ? {} : this.#bodyParams(body)) };
      actions[name] = {
        doc: this.#doc(method.toLowerCase(), place),
        params,
        rest: `${method} ${place}`,
        ...(wrapped === undefined ? {} : { body: wrapped }),
        ...(answer === undefined || answer === "" ? {} : { answer }),
        ...(effect === undefined ? {} : { effect }),
        ...(removes && call.answer !== undefined ? { returns: this.#type(call.answer, `${type}Removed`) } : {}),
      };
    }
    return actions;
  }

  /** Where an answer has an object with the fields of the record: "" for the answer itself. */
  #recordPlace(answer: JsonSchema | undefined, record: JsonSchema, fields: Draft): string | undefined {
    if (answer === undefined) return undefined;
    const wanted = Object.entries(fields).map(([name, entry]) => String((entry as Draft)["from"] ?? name));
    const fits = (schema: JsonSchema | undefined) => {
      if (schema === undefined) return false;
      if (schema === this.#platform.resolve(record)) return true;
      const names = propertyNames(schema, this.#platform);
      return wanted.every((name) => names.includes(name));
    };
    if (fits(answer)) return "";
    return propertyNames(answer, this.#platform).find((name) => fits(propertySchema(answer, name, this.#platform)));
  }

  /** The one object that holds all of a body, such as `incident`. */
  #bodyPlace(body: JsonSchema | undefined): string | undefined {
    if (body === undefined) return undefined;
    const [only, ...more] = propertyNames(body, this.#platform);
    const inner = only === undefined || more.length > 0 ? undefined : propertySchema(body, only, this.#platform);
    return inner !== undefined && propertyNames(inner, this.#platform).length > 0 ? only : undefined;
  }

  #params(params: readonly RestParam[], path: string): Draft {
    const places = placesOf(path);
    const entries = params
      .filter(
        ({ name, in: place, required }) =>
          places.includes(name) || (place === "query" && !/[[\]]/.test(name)) || (place === "header" && required),
      )
      .flatMap(({ name, schema, required, description }) => {
        const inPath = places.includes(name);
        return this.#param(name, schema, inPath || required, inPath, description);
      });
    return Object.fromEntries(entries);
  }

  #bodyParams(body: JsonSchema): Draft {
    const required = alternatives(body, this.#platform, ["allOf"]).flatMap((one) =>
      isList(one["required"]) ? one["required"] : [],
    );
    return Object.fromEntries(
      propertyNames(body, this.#platform).flatMap((name) => {
        const schema = propertySchema(body, name, this.#platform);
        return schema === undefined ? [] : this.#param(name, schema, required.includes(name), false);
      }),
    );
  }

  /** A parameter; none for a type that a parameter cannot have. */
  #param(name: string, schema: JsonSchema, required: boolean, inPath: boolean, description?: string): [string, Draft][] {
    const here = this.#platform.resolve(schema);
    const type = this.#scalarOf(here, name);
    if (type === undefined || (type === "object" && !required)) return [];
    const own = camel(name);
    const more = {
      ...(own === name ? {} : { name }),
      ...(required ? { required: true } : {}),
      doc: docOf(description ?? here["description"] ?? schema["description"]),
      ...(inPath && type === "string" ? { example: "example" } : {}),
    };
    const [least, most] = [numberIn(here, "minimum"), numberIn(here, "maximum")];
    const text =
      type === "string"
        ? { least: required ? 1 : 0, most: numberIn(here, "maxLength") }
        : { least: least ?? (inPath ? 1 : undefined), most };
    return [[own, boundedParam(type, more, text)]];
  }

  /** The type of the spec language for a schema; undefined where there is none. */
  #scalarOf(schema: JsonSchema, name: string): string | undefined {
    const options = alternatives(schema, this.#platform);
    const types = [...new Set(options.flatMap(jsonTypes))].filter((type) => type !== "null");
    const [type] = types;
    if (types.length > 1) return types.every((one) => one === "integer" || one === "number") ? "number" : undefined;
    const values = options.flatMap((one) => (isList(one["enum"]) ? one["enum"] : []));
    if (type === "string" && values.length > 0 && values.every((one) => typeof one === "string" || one === null))
      return this.#enum(name, values.filter((one) => one !== null).map(String));
    const format = options.map((one) => one["format"]).find((one) => typeof one === "string");
    switch (type) {
      case "string":
        return format === "date-time" ? "timestamp" : format === "date" ? "date" : "string";
      case "integer":
      case "number":
      case "boolean":
      case "object":
        return type;
      case "array": {
        const element = elementSchema(schema, this.#platform);
        const inner = element === undefined ? undefined : this.#scalarOf(element, name);
        return inner === undefined || inner.startsWith("[") ? undefined : `[${inner}]`;
      }
      default:
        return undefined;
    }
  }

  #enum(name: string, values: readonly string[]): string {
    const base = typeName(singular(name)).slice(0, longestName - "Value".length);
    // Enumerations of the same values are one, whose owner is the text of these.
    const own = this.#name(`${base}Value`, JSON.stringify(values));
    this.enums[own] = { doc: todo, values: Object.fromEntries(values.map((value) => [value, todo])) };
    return own;
  }

  #fields(schema: JsonSchema, type: string, searchable: boolean): Draft {
    const required = alternatives(schema, this.#platform, ["allOf"]).flatMap((one) =>
      isList(one["required"]) ? one["required"] : [],
    );
    const fields: Draft = {};
    for (const name of propertyNames(schema, this.#platform)) {
      const property = propertySchema(schema, name, this.#platform);
      if (property === undefined || property["deprecated"] === true || this.#platform.resolve(property)["deprecated"] === true)
        continue;
      const own = camel(name).slice(0, longestName);
      const twin = Object.keys(fields).find((one) => sameField(one, own));
      if (twin !== undefined) {
        this.omitted.push(`${type}: "${name}" would have the name of the field "${twin}"`);
        continue;
      }
      const entry = this.#field(name, property, type, searchable, required.includes(name));
      if (entry !== undefined) fields[own] = own === name ? entry : { ...entry, from: name.replaceAll(".", "\\.") };
    }
    return fields;
  }

  #field(name: string, schema: JsonSchema, type: string, searchable: boolean, required: boolean): Draft | undefined {
    const here = this.#platform.resolve(schema);
    const scalar = this.#scalarOf(here, name);
    const list = alternatives(here, this.#platform).flatMap(jsonTypes).includes("array");
    const nullable = !list && (!required || isNullable(alternatives(here, this.#platform))) ? "?" : "";
    const doc = docOf(here["description"] ?? schema["description"]);
    if (scalar === undefined) return { type: list ? "[object]" : `object${nullable}`, doc };
    if (scalar === "object" && propertyNames(here, this.#platform).length > 0 && searchable) {
      const inner = this.#type(here, `${type}${typeName(name)}`);
      return { type: `${inner}${nullable}`, doc };
    }
    const isId = /(^|_)id$|Id$/.test(name) && scalar === "string";
    const written = `${isId ? "id" : scalar}${nullable}`;
    const search = searchable ? searchOf(name, written) : undefined;
    return { type: written, ...(search === undefined ? {} : { search }), doc };
  }

  /** The type of an object inside a record. Objects of one schema share it. */
  #type(schema: JsonSchema, name: string): string {
    const reference = Object.entries(this.#schemas).find(([, one]) => one === schema)?.[0];
    const own = this.#name(reference === undefined ? name : typeName(reference), schema);
    if (!Object.hasOwn(this.types, own)) {
      this.types[own] = {};
      this.types[own] = { doc: docOf(schema["description"]), fields: this.#fields(schema, own, false) };
    }
    return own;
  }

  get #schemas(): Readonly<Record<string, unknown>> {
    const schemas = this.#api.at(["components", "schemas"]);
    return isJsonObject(schemas) ? schemas : {};
  }
}

function numberIn(schema: JsonSchema, key: string): number | undefined {
  const value = schema[key];
  return typeof value === "number" ? value : undefined;
}
