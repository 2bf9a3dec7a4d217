import { alternatives, elementSchema, isNullable, propertyNames, propertySchema } from "../model/json-schema.ts";
import { isList, type JsonSchema } from "../model/open-api.ts";
import type { PlatformDescription, RestCall, RestParam } from "../model/platform-description.ts";
import { boundedParam, camel, type Draft, docOf, exampleOf, int32, itemsOf, longestId, searchOf, searchText } from "./draft.ts";
import { allowedName, paramName } from "./open-api-names.ts";
import { placeName, placesOf } from "./open-api-places.ts";
import { isDocument, type OpenApiTypes } from "./open-api-types.ts";

/** The largest time in seconds that has eleven digits, as all times do for thousands of years. */
const lastSecond = 99_999_999_999;

/** A rich document that has a text, with a paragraph for each of its lines. */
const document = { type: "doc", version: 1, content: [{ type: "paragraph", content: [{ type: "text", text: "{line}" }] }] };

interface Given {
  /** What the platform calls it; a path for a member of an object in the body. */
  readonly name: string;
  /** What the spec calls it. */
  readonly own: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly inPath?: boolean;
  readonly inBody?: boolean;
  readonly description?: string | undefined;
}

/** Drafts the params of the actions of one entity. */
export class OpenApiParams {
  readonly #types: OpenApiTypes;
  readonly #platform: PlatformDescription;
  readonly #filters: ReadonlySet<string>;
  /** The record of the entity, after which enumerations are named. */
  readonly #record: string;
  /** Parameters that cannot be params, each with the reason. */
  readonly omitted: string[] = [];

  /** @param filters names of the query params of all calls */
  constructor(types: OpenApiTypes, platform: PlatformDescription, record: string, filters: ReadonlySet<string>) {
    this.#types = types;
    this.#platform = platform;
    this.#record = record;
    this.#filters = filters;
  }

  /**
   * The params of a call.
   *
   * @param taken names that its paging takes
   * @returns `body`: the one object in which the platform wants all that the body has; `fixed`: what has only one value
   */
  of(
    call: RestCall,
    path: string,
    taken: readonly string[] = [],
  ): { readonly params: Draft; readonly body?: string; readonly fixed: Draft } {
    const places = placesOf(path);
    const { place: body, schema: inner } = this.#bodyOf(call.body);
    const fixed: Draft = {};
    const names = [...call.params.map(({ name }) => name), ...(inner === undefined ? [] : propertyNames(inner, this.#platform))];
    const given = [
      ...call.params
        .filter((one) => places.includes(one.name) || !taken.includes(one.name))
        .flatMap((one) => this.#ofCall(one, path, names)),
      ...(inner === undefined ? [] : this.#ofBody(inner, names)).filter(({ name }) => !taken.includes(name)),
    ];
    const params: Draft = {};
    for (const one of given) {
      const only = onlyValue(this.#platform.resolve(one.schema));
      if (only !== undefined && one.required && one.inPath !== true) fixed[one.name] = only;
      else
        for (const [name, entry] of this.#param(one)) {
          const free = [name, allowedName(camel(one.name))].find((wanted) => !Object.hasOwn(params, wanted));
          if (free !== undefined) params[free] = entry;
        }
    }
    return { params, ...(body === undefined ? {} : { body }), fixed };
  }

  #ofCall({ name, in: place, required, schema, description }: RestParam, path: string, names: readonly string[]): Given[] {
    if (placesOf(path).includes(name))
      return [{ name, own: placeName(path, name), schema, required: true, inPath: true, description }];
    if (place === "cookie" || (place === "header" && !required)) return [];
    return [{ name, own: paramName(name, names), schema, required, description }];
  }

  /** The one object that holds all of a body, such as `incident`, or the first of the one list in it: `incidents[0]`. */
  #bodyOf(body: JsonSchema | undefined): { readonly place?: string; readonly schema: JsonSchema | undefined } {
    const [only, ...more] = body === undefined ? [] : propertyNames(body, this.#platform);
    const inner = body === undefined || only === undefined ? undefined : propertySchema(body, only, this.#platform);
    if (only === undefined || inner === undefined || more.length > 0) return { schema: body };
    const element = elementSchema(inner, this.#platform);
    const schema = element ?? inner;
    if (propertyNames(schema, this.#platform).length < 2) return { schema: body };
    return { place: element === undefined ? only : `${only}[0]`, schema };
  }

  #ofBody(body: JsonSchema, names: readonly string[]): Given[] {
    const required = requiredOf(body, this.#platform);
    return propertyNames(body, this.#platform).flatMap((name): Given[] => {
      const schema = propertySchema(body, name, this.#platform);
      if (schema === undefined) return [];
      const members = propertyNames(schema, this.#platform);
      const [only] = members;
      const inner = members.length === 1 && only !== undefined ? propertySchema(schema, only, this.#platform) : undefined;
      // Every action already has a param with this name. In a query, it selects what the response contains; in a body, it is data to write.
      const own = paramName(name, names).replace(/^fields$/, "fields_");
      const here = { name, own, required: required.includes(name), inBody: true };
      if (inner === undefined || propertyNames(inner, this.#platform).length > 0) return [{ ...here, schema }];
      // An object with one member is this member.
      const nullable = isNullable(alternatives(schema, this.#platform)) && isNullable(alternatives(inner, this.#platform));
      return [{ ...here, name: `${name}.${only}`, schema: nullable ? inner : withoutNull(inner) }];
    });
  }

  /** A parameter; none for a type that a parameter cannot have. */
  #param({ name, own, schema, required, inPath = false, inBody = false, description }: Given): [string, Draft][] {
    const here = this.#platform.resolve(schema);
    const isRich = isDocument(propertyNames(here, this.#platform));
    const scalar = isRich ? "string" : this.#types.scalar(here, name.split(".")[0] ?? name, this.#record);
    if (scalar === undefined) {
      this.omitted.push(`parameter "${name}": the description allows several types or none, or lists of lists`);
      return [];
    }
    const type = scalar === "seconds" ? "integer" : scalar;
    const members = type === "object" ? this.#members(here) : undefined;
    const mark = !required && !inPath && !type.startsWith("[") && isNullable(alternatives(here, this.#platform)) ? "?" : "";
    const more = {
      ...(own === name ? {} : { name }),
      ...(required ? { required: true } : {}),
      ...(members === undefined ? {} : { members }),
      ...(isRich ? { as: document } : {}),
      doc: docOf(description ?? here["description"] ?? schema["description"]),
    };
    const isMany = type.startsWith("[");
    const element = isMany ? elementSchema(here, this.#platform) : undefined;
    const numberOf = (key: string, of = element ?? here) =>
      alternatives(of, this.#platform)
        .map((one) => one[key])
        .find((one) => typeof one === "number");
    const text = type === "string";
    // An empty text in a body can take a value away; a filter without a text is none.
    const isId = /(^|_)ids?$|Ids?$/.test(name) && !/(^|_)iid$/.test(name);
    const given = text
      ? { least: numberOf("minLength"), most: numberOf("maxLength") }
      : { least: numberOf("minimum"), most: numberOf("maximum") };
    // What the description does not bound, the draft does not either, but for what names something.
    const [lowest, highest] = here["format"] === "int32" ? int32 : [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    const usual = {
      least: (text ? required || !inBody : inPath || isId) ? 1 : text ? undefined : scalar === "seconds" ? 0 : lowest,
      most: text ? this.#longest(name, inBody) : scalar === "seconds" ? lastSecond : highest,
    };
    const items = isMany ? { items: itemsOf({ least: numberOf("minItems", here), most: numberOf("maxItems", here) }) } : {};
    const value = here["default"];
    // What a caller has to give needs no default.
    const fallback = !required && (typeof value === "boolean" || typeof value === "number") ? { default: value } : {};
    const param = boundedParam(`${type}${mark}`, { ...items, ...fallback, ...more }, given, usual);
    // A param of a path is an example of the whole connector; its text has the length that it must have.
    const example = inPath && text ? { example: exampleOf(param, {}, here["format"]) } : {};
    return [[own, { ...param, ...example }]];
  }

  /** The most characters of a text that names something or filters; none of what people write. A filter's name means the same in bodies. */
  #longest(name: string, inBody: boolean): number | undefined {
    const isFilter = this.#filters.has(name) && !searchText.test(name) && searchOf(name, "string") !== "text";
    const isShort = inBody
      ? isFilter || /(^|[._])(ids?|key|ts|name|title|email|phone)$|(Id|Key|Name)$/.test(name)
      : !searchText.test(name) && name !== "filter";
    return isShort ? longestId : undefined;
  }

  /** The members of an object; undefined where it may have any, or where one of them is an object itself. */
  #members(schema: JsonSchema): Draft | undefined {
    const required = requiredOf(schema, this.#platform);
    const names = propertyNames(schema, this.#platform);
    const entries = names.flatMap((name) => {
      const inner = propertySchema(schema, name, this.#platform) ?? {};
      return propertyNames(inner, this.#platform).length > 0
        ? []
        : this.#param({ name, own: allowedName(camel(name)), schema: inner, required: required.includes(name), inBody: true });
    });
    return names.length > 0 && entries.length === names.length ? Object.fromEntries(entries) : undefined;
  }
}

function requiredOf(schema: JsonSchema, platform: PlatformDescription): unknown[] {
  return alternatives(schema, platform, ["allOf"]).flatMap((one) => (isList(one["required"]) ? one["required"] : []));
}

/** The value of an enumeration that has only one. */
function onlyValue({ enum: values, const: own }: JsonSchema): string | number | undefined {
  const value = isList(values) && values.length === 1 ? values[0] : own;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const type = schema["type"];
  return isList(type) ? { ...schema, type: type.filter((one) => one !== "null") } : schema;
}
