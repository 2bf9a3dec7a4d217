import {
  alternatives,
  elementSchema,
  isNullable,
  jsonTypes,
  propertyNames,
  propertySchema,
  requiredNames,
} from "../model/json-schema.ts";
import { sameField } from "../model/names.ts";
import { isJsonObject, isList, type JsonSchema, type OpenApi } from "../model/open-api.ts";
import type { PlatformDescription } from "../model/platform-description.ts";
import { camel, type Draft, docOf, foundBy, longestName, recordName, searchOf, singular, todo, typeName } from "./draft.ts";
import { fieldName } from "./open-api-names.ts";

/** Members that hold others of a record, as in JSON:API. */
const holders = ["fields", "attributes", "profile"];
/** Members by which people and things are called; the first two kinds are those of people. */
const callNames = ["username", "login", "handle", "displayName", "display_name", "title", "name"];

/** Drafts the types and enumerations of an OpenAPI description, and the fields that have them. */
export class OpenApiTypes {
  readonly types: Draft = {};
  readonly enums: Draft = {};
  /** Fields that became none, each with the reason. */
  readonly omitted: string[] = [];
  /** Names of types in lower case, and what has each. */
  readonly #names = new Map<string, unknown>();
  readonly #records = new Set<string>();
  /** Names of enumerations, by their values. */
  readonly #enumNames = new Map<string, string>();
  readonly #platform: PlatformDescription;
  readonly #references: ReadonlyMap<unknown, string>;

  constructor(api: OpenApi, platform: PlatformDescription) {
    this.#platform = platform;
    const schemas = api.at(["components", "schemas"]);
    this.#references = new Map(Object.entries(isJsonObject(schemas) ? schemas : {}).map(([name, schema]) => [schema, name]));
  }

  /** The name of a type of records. A member with such a record has the same type. */
  record(wanted: string, owner: unknown): string {
    const name = this.name(wanted, owner);
    this.#records.add(name);
    return name;
  }

  /** A name of a type that nothing else has, in the length that the language allows. */
  name(wanted: string, owner: unknown): string {
    // The version of a platform's call says nothing to whoever reads the records: `WebhookV2Event`.
    const base = recordName(wanted.replace(/(?<=[a-z])V\d+(?=[A-Z]|$)/, "").slice(0, longestName));
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}${count}`;
      const known = this.#names.get(name.toLowerCase());
      if (known !== undefined && known !== owner) continue;
      this.#names.set(name.toLowerCase(), owner);
      return name;
    }
  }

  /** The type of an object inside a record. Objects of one schema share it. */
  type(schema: JsonSchema, wanted: string): string {
    const here = this.#object(schema);
    const own = this.name(this.referenceOf(here) ?? wanted, here);
    if (!Object.hasOwn(this.types, own) && !this.#records.has(own)) {
      this.types[own] = {};
      this.types[own] = { doc: docOf(here["description"]), fields: this.fields(here, own, false) };
    }
    return own;
  }

  /** The name of a type for a schema that the description gives a name; undefined for others. */
  referenceOf(schema: JsonSchema): string | undefined {
    return this.#nameOf(this.#object(schema));
  }

  #nameOf(schema: JsonSchema): string | undefined {
    const reference = this.#references.get(this.#platform.resolve(schema));
    return reference === undefined ? undefined : typeName(reference);
  }

  /** The one object that a schema allows; the schema itself where there are several. */
  #object(schema: JsonSchema): JsonSchema {
    const here = this.#platform.resolve(schema);
    if (here["properties"] !== undefined) return here;
    const objects = alternatives(here, this.#platform).filter((one) => one["properties"] !== undefined);
    return objects.length === 1 ? (objects[0] ?? here) : here;
  }

  /** The type of the spec language for a schema; undefined where there is none. @param owner type or record that has it */
  scalar(schema: JsonSchema, name: string, owner: string): string | undefined {
    const options = alternatives(schema, this.#platform);
    const types = [...new Set(options.flatMap(jsonTypes))].filter((type) => type !== "null");
    const [type] = types;
    if (types.length > 1) return types.every((one) => one === "integer" || one === "number") ? "number" : undefined;
    const values = options.flatMap((one) => (isList(one["enum"]) ? one["enum"] : []));
    if (type === "string" && values.length > 0 && values.every((one) => typeof one === "string" || one === null))
      return this.#enum(
        this.#nameOf(schema) ?? `${owner}${typeName(singular(name))}`,
        values.filter((one) => one !== null).map(String),
      );
    const format = options.map((one) => one["format"]).find((one) => typeof one === "string");
    switch (type) {
      case "string":
        return format === "date-time" ? "timestamp" : format === "date" ? "date" : format === "binary" ? "file" : "string";
      case "integer":
        return format === "unix-time" ? "seconds" : type;
      case "number":
      case "boolean":
      case "object":
        return type;
      case "array": {
        const element = elementSchema(schema, this.#platform);
        const inner = element === undefined ? undefined : this.scalar(element, name, owner);
        return inner === undefined || /^\[|^(seconds|file)$/.test(inner) ? undefined : `[${inner}]`;
      }
      default:
        return undefined;
    }
  }

  #enum(wanted: string, values: readonly string[]): string {
    // Enumerations of the same values are one, whose owner is the text of these.
    const text = JSON.stringify(values);
    const known = this.#enumNames.get(text);
    if (known !== undefined) return known;
    const own = this.name(wanted, text);
    this.#enumNames.set(text, own);
    this.enums[own] = { doc: todo, values: Object.fromEntries(values.map((value) => [value, todo])) };
    return own;
  }

  fields(schema: JsonSchema, type: string, searchable: boolean, place = "", isHeld = false): Draft {
    const required = requiredNames(schema, this.#platform);
    const fields: Draft = {};
    const names = propertyNames(schema, this.#platform);
    for (const name of names) {
      const property = propertySchema(schema, name, this.#platform);
      if (property === undefined || property["deprecated"] === true || this.#platform.resolve(property)["deprecated"] === true)
        continue;
      // Many descriptions say of no member that it is required. Only one that says it of others is taken at its word.
      const isOptional = isHeld || required?.has(name) === false;
      const from = `${place}${name.replaceAll(".", "\\.")}`;
      const found =
        searchable && place === "" && holders.includes(name) && propertyNames(property, this.#platform).length > 2
          ? this.fields(property, type, true, `${from}.`, isOptional)
          : this.#entries(name, from, property, type, searchable, isOptional, names);
      for (const [own, entry] of Object.entries(found)) {
        const twinOf = (wanted: string) => Object.keys(fields).find((one) => sameField(one, wanted));
        // A short name that another field has leaves the whole one: `noteable_id` and `noteable_iid`.
        const free = [own, camel(from)].find((wanted) => wanted.length <= longestName && twinOf(wanted) === undefined);
        if (free !== undefined) fields[free] = entry;
        else this.omitted.push(`${type}: "${name}" would have the name of the field "${twinOf(own)}"`);
      }
    }
    return fields;
  }

  /** The fields of a member: one, or where it is a short object with a name and an id, both of these. */
  #entries(
    name: string,
    from: string,
    schema: JsonSchema,
    type: string,
    searchable: boolean,
    isOptional: boolean,
    siblings: readonly string[] = [],
  ): Draft {
    const here = this.#platform.resolve(schema);
    const options = alternatives(here, this.#platform);
    const kinds = [...new Set(options.flatMap(jsonTypes))].filter((kind) => kind !== "null");
    const own = fieldName(
      name,
      kinds,
      options.some((one) => one["format"] === "date-time"),
      siblings,
    );
    const doc = docOf(here["description"] ?? schema["description"]);
    const mark = isOptional || isNullable(options) ? "?" : "";
    const at = (entry: Draft, path = from): Draft => ({ ...entry, ...(path === own ? {} : { from: path }) });
    // Some platforms give an id or, on request, the whole object.
    if (kinds.length === 2 && kinds.includes("string") && kinds.includes("object"))
      return { [own]: at({ type: `id${mark}`, as: "id", ...(searchable ? { search: "exact" } : {}), doc }) };
    const scalar = this.scalar(here, name, type);
    if (scalar === undefined || scalar === "[object]") {
      const element = kinds.includes("array") ? elementSchema(here, this.#platform) : undefined;
      const members = element === undefined ? [] : propertyNames(element, this.#platform);
      if (scalar === undefined && !isObject(element ?? here, this.#platform))
        return { [own]: at({ type: `json${mark || "?"}`, doc }) };
      if (element === undefined || members.length === 0)
        return { [own]: at({ type: kinds.includes("array") ? "[object]" : `object${mark}`, onRequest: true, doc }) };
      if (searchable && members.includes("plain_text")) return { [own]: at(richText(name, "string?", doc)) };
      const by = searchable ? callNames.find((one) => members.includes(one)) : undefined;
      const inner = this.type(element, typeName(singular(name)));
      return { [own]: at({ type: `[${inner}]`, ...(by === undefined ? {} : { search: { by: camel(by) } }), doc }) };
    }
    if (scalar === "object") return this.#objectEntries(own, from, here, type, searchable, mark);
    const seconds = scalar === "seconds" ? { as: "seconds" } : {};
    const isId = /(^|_)(id|key)$|(Id|Key)$/.test(name) && scalar === "string";
    const list = scalar.startsWith("[");
    const written = `${isId ? "id" : scalar === "seconds" ? "timestamp" : scalar === "file" ? "string" : scalar}${list ? "" : mark}`;
    return { [own]: at({ type: written, ...seconds, ...(searchable ? foundBy(name, written) : {}), doc }) };
  }

  #objectEntries(own: string, from: string, schema: JsonSchema, type: string, searchable: boolean, mark: string): Draft {
    const doc = docOf(schema["description"]);
    const whole = (inner: string): Draft => ({
      type: `${inner}${mark}`,
      ...(own === from ? {} : { from }),
      ...(inner === "object" ? { onRequest: true } : {}),
      doc,
    });
    const members = propertyNames(schema, this.#platform);
    if (searchable && isDocument(members))
      return { [own]: { ...(own === from ? {} : { from }), ...richText(own, "string?", doc) } };
    if (members.length === 0 || !searchable) return { [own]: whole("object") };
    const bare = members.filter((member) => !["object", "type", "self", "url"].includes(member));
    if (bare.length === 1 && bare[0] === "id") {
      const identity = propertySchema(schema, "id", this.#platform) ?? {};
      const [entry] = Object.values(this.#entries("id", `${from}.id`, identity, type, true, mark !== ""));
      return { [own]: { ...(entry as Draft), doc } };
    }
    const single = (member: string | undefined) => {
      const found = member === undefined ? undefined : propertySchema(schema, member, this.#platform);
      const scalar = found === undefined ? undefined : this.scalar(this.#platform.resolve(found), member ?? "", type);
      return found !== undefined && scalar !== undefined && !/^\[|^object$/.test(scalar) ? found : undefined;
    };
    const by = members.length === 1 ? members[0] : callNames.find((one) => members.includes(one));
    const named = single(by);
    if (by === undefined || named === undefined) return { [own]: whole(this.type(schema, typeName(own))) };
    const optional = mark !== "";
    const entries = Object.values(this.#entries(by, `${from}.${by}`, named, type, true, optional));
    const name = { ...(entries[0] as Draft), doc };
    const id = members.find((one) => /^(id|accountId|account_id)$/.test(one));
    const identity = single(id);
    if (id === undefined || identity === undefined || by === id) return { [own]: name };
    const [other] = Object.values(this.#entries(id, `${from}.${id}`, identity, type, true, optional));
    return { [own]: name, [`${own}Id`]: other };
  }
}

/** Whether all values of a schema are objects. */
function isObject(schema: JsonSchema, platform: PlatformDescription): boolean {
  const kinds = alternatives(schema, platform).flatMap(jsonTypes);
  return kinds.length > 0 && kinds.every((kind) => kind === "object" || kind === "null");
}

/** Whether an object with these members is a rich document, as Atlassian and the editors of others have them. */
export function isDocument(members: readonly string[]): boolean {
  return ["type", "version", "content"].every((one) => members.includes(one));
}

/** A field with the text of a rich document. */
function richText(name: string, type: string, doc: string): Draft {
  const search = searchOf(name, "string") === "name" ? { search: "name" } : { search: "text", semantic: { window: 2048 } };
  return { type, as: "text", ...search, doc };
}
