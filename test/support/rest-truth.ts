import type { ActionModel, ConnectorModel, ParamModel, TypeModel } from "../../generator/model/types.ts";
import { isObject } from "../../runtime/base/is-object.ts";
import type { RestOperation, SentParam } from "../../runtime/contract/index.ts";
import { pathKeys, sentParam } from "../../runtime/contract/index.ts";

// What an OpenAPI description breaks of a connector, found by a walk through the description itself. It shares no code with the generator,
// so that the two can be held against each other.

type Node = Readonly<Record<string, unknown>>;
type Call = Omit<RestOperation, "record">;
type Say = (what: string) => void;

const objectOf = (value: unknown): Node => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const textsOf = (value: unknown): string[] => listOf(value).map(String);

/** The actions that the description breaks, with what it breaks of each. */
export function brokenBy(model: ConnectorModel, description: Node): ReadonlyMap<string, readonly string[]> {
  const walk = new Walk(model, description);
  const broken = new Map<string, string[]>();
  for (const entity of model.entities)
    for (const action of [...entity.actions, ...(entity.syncAction === undefined ? [] : [entity.syncAction])]) {
      const name = `${entity.name}.${action.name}`;
      if (action.operation.kind !== "rest") continue;
      walk.action(action, action.operation, (what) => broken.set(name, [...(broken.get(name) ?? []), what]));
    }
  return broken;
}

class Walk {
  readonly #root: Node;
  readonly #types: ReadonlyMap<string, TypeModel>;
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(model: ConnectorModel, root: Node) {
    this.#root = root;
    const types = [...model.types, ...model.entities.flatMap(({ record, types }) => [record, ...types])];
    this.#types = new Map(types.map((type) => [type.name, type]));
    const enums = [...model.enums, ...model.entities.flatMap((entity) => entity.enums)];
    this.#values = new Map(enums.map(({ name, values }) => [name, values.map(({ value }) => value)]));
  }

  action(action: ActionModel, operation: Call, say: Say): void {
    const places = (path: string) => path.replace(/\{[^}]*\}/g, "{}");
    const [, item] =
      Object.entries(objectOf(this.#root["paths"])).find(([path]) => places(path) === places(operation.path)) ?? [];
    const call = objectOf(item)[operation.method.toLowerCase()];
    if (!isObject(call)) {
      say("the call is gone");
      return;
    }
    const params = [objectOf(item), call].flatMap((one) => listOf(one["parameters"])).map((one) => this.#resolved(one));
    this.#request(action, operation, params, this.#body(call, operation.bodyAt), say);
    const good = Object.entries(objectOf(call["responses"])).find(([status]) => status.startsWith("2"))?.[1];
    const content = this.#resolved(good)["content"];
    if (content === undefined) return;
    this.#response(action, operation, this.#variants(objectOf(objectOf(content)["application/json"])["schema"]), say);
  }

  #body(call: Node, place = ""): readonly Node[] {
    const content = objectOf(this.#resolved(call["requestBody"])["content"]);
    return this.#at(this.#variants(objectOf(content["application/json"])["schema"]), place);
  }

  #request(action: ActionModel, operation: Call, params: readonly Node[], body: readonly Node[], say: Say) {
    const named = (name: string) => params.find((one) => one["in"] === "query" && one["name"] === name);
    const names = (sent: readonly SentParam[]) => sent.map((one) => sentParam(one).name);
    for (const name of names(operation.query)) if (named(name) === undefined) say(`query ${name} is gone`);
    for (const name of names(operation.body)) if (this.#at(body, name).length === 0) say(`body ${name} is gone`);
    const always = new Set(
      action.params.filter((one) => one.required || one.default !== undefined).map((one) => one.sentAs ?? one.name),
    );
    const needed = [
      ...params.filter((one) => one["required"] === true && one["in"] === "query").map((one) => String(one["name"])),
      ...textsOf(body[0]?.["required"]).filter((name) => body.every((one) => textsOf(one["required"]).includes(name))),
    ];
    for (const name of needed) if (!always.has(name)) say(`${name} is required`);
    for (const param of action.params) {
      if (param.name === "after" && operation.list !== undefined) continue;
      const name = param.sentAs ?? param.name;
      const schema = params.find((one) => one["name"] === name && one["in"] !== "path")?.["schema"];
      this.#param(param, name, schema === undefined ? this.#at(body, name) : this.#variants(schema), say);
    }
  }

  #param(param: ParamModel, name: string, schemas: readonly Node[], say: Say): void {
    const given = new Set(schemas.flatMap(typesOf));
    const isText = param.type.kind === "enum" || ["id", "timestamp", "date"].includes(param.type.name);
    const wanted = param.type.list ? ["array", "string"] : isText ? ["string"] : [param.type.name];
    if (wanted.includes("integer")) wanted.push("number");
    if (given.size > 0 && !wanted.some((one) => given.has(one))) say(`${name} is ${[...given]}`);
    const allowed = schemas.flatMap((one) => textsOf(one["enum"]));
    const own = param.type.kind === "enum" ? (this.#values.get(param.type.name) ?? []) : [];
    for (const value of own) if (allowed.length > 0 && !allowed.includes(value)) say(`${name} cannot be ${value}`);
  }

  #response(action: ActionModel, operation: Call, whole: readonly Node[], say: Say): void {
    const by = objectOf(operation.list?.by);
    for (const sign of [by["next"], by["more"]])
      if (typeof sign === "string" && by["header"] !== true && this.#at(whole, sign).length === 0) say(`${sign} is gone`);
    const found = this.#at(whole, operation.answer ?? "");
    const records = operation.list === undefined ? found : found.flatMap((one) => this.#variants(one["items"]));
    if (records.length > 0) this.#record(action.returns, records, [action.returns.name], say);
    else say(`the response has no ${operation.list === undefined ? "record" : "list"} at "${operation.answer ?? ""}"`);
  }

  #record(type: TypeModel, schemas: readonly Node[], above: readonly string[], say: Say): void {
    for (const field of type.fields) {
      const [path = field.name] = listOf(field.plan.read).map(String);
      if (field.plan.param !== undefined) continue;
      const what = `${type.name}.${field.name}`;
      const mayLack = this.#mayLack(schemas, path);
      const found = this.#at(schemas, path.replaceAll("[]", ""));
      if (found.length === 0) {
        say(`${what} is gone`);
        continue;
      }
      if (mayLack && !field.type.nullable && !field.type.list) say(`${what} may be missing`);
      const given = new Set(found.flatMap(typesOf));
      if (given.size > 0 && !readable(field).some((one) => given.has(one))) say(`${what} is ${[...given]}`);
      const values = found.every((one) => one["enum"] !== undefined) ? found.flatMap((one) => textsOf(one["enum"])) : [];
      const sent = values.map((value) => converted(value, field));
      const own = field.type.kind === "enum" ? (this.#values.get(field.type.name) ?? []) : [];
      for (const value of own) if (sent.length > 0 && !sent.includes(value)) say(`${what} is never ${value}`);
      const inner = field.type.kind === "type" ? this.#types.get(field.type.name) : undefined;
      const below = field.type.list ? found.flatMap((one) => this.#variants(one["items"])) : found;
      if (inner !== undefined && !above.includes(inner.name) && below.some((one) => one["properties"] !== undefined))
        this.#record(inner, below, [...above, inner.name], say);
    }
  }

  /** Whether a value on the way may be null or left out. A schema that requires nothing at all says nothing of it. */
  #mayLack(schemas: readonly Node[], path: string): boolean {
    let here = schemas;
    let found = false;
    for (const key of pathKeys(path.replaceAll("[]", ""))) {
      found ||= here.some((one) => listOf(one["required"]).length > 0 && !textsOf(one["required"]).includes(key));
      here = this.#step(here, key);
    }
    return found || here.some((one) => one["nullable"] === true || textsOf(one["type"]).includes("null"));
  }

  #at(schemas: readonly Node[], path: string): readonly Node[] {
    return (path === "" ? [] : pathKeys(path)).reduce<readonly Node[]>((here, key) => this.#step(here, key), schemas);
  }

  #step(schemas: readonly Node[], key: string): readonly Node[] {
    return schemas.flatMap((one) => {
      const member = objectOf(one["properties"])[key];
      if (member !== undefined) return this.#variants(member);
      return /^-?\d+$/.test(key) && one["items"] !== undefined ? this.#variants(one["items"]) : [];
    });
  }

  /** Each schema that a value may have, with all that is said of it in one object. */
  #variants(schema: unknown, depth = 0): readonly Node[] {
    const own = this.#resolved(schema);
    if (Object.keys(own).length === 0 || depth > 8) return [];
    const join = (one: Node, other: Node): Node => ({
      ...one,
      ...other,
      properties: { ...objectOf(one["properties"]), ...objectOf(other["properties"]) },
      required: [...listOf(one["required"]), ...listOf(other["required"])],
    });
    const { oneOf, anyOf, allOf, ...plain } = own;
    let found: Node[] = [plain];
    for (const forms of [oneOf, anyOf])
      if (forms !== undefined)
        found = found.flatMap((one) =>
          listOf(forms).flatMap((form) => this.#variants(form, depth + 1).map((each) => join(one, each))),
        );
    for (const part of listOf(allOf))
      found = found.flatMap((one) => this.#variants(part, depth + 1).map((each) => join(one, each)));
    return found;
  }

  #resolved(value: unknown): Node {
    let here = objectOf(value);
    for (let count = 0; typeof here["$ref"] === "string" && count < 20; count++)
      here = here["$ref"]
        .split("/")
        .slice(1)
        .reduce<Node>((node, key) => objectOf(node[key.replaceAll("~1", "/").replaceAll("~0", "~")]), this.#root);
    return here;
  }
}

function typesOf(schema: Node): string[] {
  if (schema["type"] !== undefined) return textsOf(schema["type"]).filter((one) => one !== "null");
  if (Object.keys(objectOf(schema["properties"])).length > 0) return ["object"];
  if (schema["items"] !== undefined) return ["array"];
  return schema["enum"] === undefined ? [] : ["string"];
}

/** The types of JSON from which a field can be read. */
function readable({ type, plan }: TypeModel["fields"][number]): readonly string[] {
  if (type.list) return ["array"];
  if (type.name === "json") return ["object", "array", "string", "number", "integer", "boolean"];
  if (["integer", "string", "id"].includes(plan.as?.kind ?? "")) return ["string", "integer", "number", "object"];
  if (type.kind === "type" || type.name === "object") return ["object"];
  if (type.name === "integer" || type.name === "number") return ["integer", "number"];
  return [type.name === "boolean" ? "boolean" : "string"];
}

function converted(value: string, { plan }: TypeModel["fields"][number]): string {
  if (plan.as?.kind === "lower") return value.toLowerCase();
  return plan.as?.kind === "upper" ? value.toUpperCase() : value;
}
