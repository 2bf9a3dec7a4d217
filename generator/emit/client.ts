import { pagingOf, type SearchField } from "../../runtime/contract/index.ts";
import { connectorConstant } from "../model/names.ts";
import { typesOf } from "../model/parts.ts";
import type { ConnectorModel, EntityModel } from "../model/types.ts";
import type { ModuleContent } from "../print/content.ts";
import { commentText } from "../print/doc.ts";
import { literal } from "../print/literal.ts";
import { Module } from "../print/module.ts";
import { clientName, entityConstant, handlerName, paramsName, propertyName } from "../print/names.ts";
import { constant } from "./declarations.ts";
import { type ConnectorEmitter, generatedHeader } from "./emitter.ts";

/** The connector's own module, which the client loads for local mode only. */
const registry = "./index.ts";

/** Types of options that know the connector's credentials, in the place of the library's. */
const ownOptions = ["ClientOptions", "LocalOptions"];

/** The module without local mode, as the one with it names it. */
const hostedFile = "./hosted.ts";

/**
 * The client library of a connector: `hosted.ts`, a table with types, and `client.ts`, which has local mode too. What works with the table
 * is in runtime/client.
 */
export const clientEmitter: ConnectorEmitter = {
  connector: (model) => [
    { path: "hosted.ts", content: hostedModule(model) },
    { path: "client.ts", content: clientModule(model) },
  ],
};

function hostedModule(model: ConnectorModel): ModuleContent {
  const library = libraryOf(model);
  const module = new Module();
  const name = clientName(model);
  for (const entity of model.entities) module.use(`* as ${entityConstant(entity)}`, `./${entity.name}.ts`, "type");
  const plan = `${module.use("ClientPlan", library, "type")}`;
  module.add(
    ...[`export * from ${JSON.stringify(library)};`, ...exportedTypes(model, name)].map((line) => `${line}\n`),
    entitiesInterface(name, model, module),
    credentialTypes(name, model),
    constant("plan", plan, literal(clientPlan(model)), `Entities and actions of ${model.title}, for both modes of its client.`),
    ...classOf(
      model,
      module,
      `${module.use("connectorClass", library, "value")}(plan)`,
      "in hosted mode only, as browsers use it",
    ),
  );
  return module.content(generatedHeader(model.file));
}

function clientModule(model: ConnectorModel): ModuleContent {
  const library = libraryOf(model);
  const module = new Module();
  const local = module.use(
    "localMode",
    model.library === undefined ? "../../runtime/client/local-mode.ts" : `${library}/local`,
    "value",
  );
  const connector = `async () => (await import(${JSON.stringify(registry)})).${connectorConstant(model.name)}`;
  const made = `${module.use("connectorClass", library, "value")}(${module.use("plan", hostedFile, "value")}, ${local}(${connector}))`;
  for (const type of ["Entities", "Credential"]) module.use(`${clientName(model)}${type}`, hostedFile, "type");
  const types = [
    `export * from ${JSON.stringify(library)};\n`,
    `export type * from "${hostedFile}";\n`,
    `export type { ${ownOptions.join(", ")} } from "${hostedFile}";\n`,
  ];
  module.add(...types, ...classOf(model, module, made));
  return module.content(generatedHeader(model.file));
}

/** The library in the sources of this repository. */
const sources = "../../runtime/client/index.ts";

function libraryOf({ library }: ConnectorModel): string {
  return library ?? sources;
}

/** The class of a client and its type. */
function classOf(model: ConnectorModel, module: Module, value: string, what?: string): string[] {
  const library = libraryOf(model);
  const name = clientName(model);
  const title = what === undefined ? model.title : `${model.title}, ${what}`;
  return [
    constant(
      name,
      `${module.use("ConnectorClass", library, "type")}<${name}Entities, ${name}Credential>`,
      value,
      `Client of ${title}. ${model.doc}`,
    ),
    `\nexport type ${name} = ${module.use("Client", library, "type")}<${name}Entities>;`,
  ];
}

/** Every type that a method takes or answers, so that users can name it. */
function exportedTypes(model: ConnectorModel, own: string): string[] {
  const from = (file: string, names: readonly string[]) => {
    const others = names.filter((name) => name !== own).sort();
    return others.length === 0 ? [] : [`export type { ${others.join(", ")} } from "./${file}.ts";`];
  };
  const named = (many: readonly { readonly name: string }[]) => many.map(({ name }) => name);
  return [
    ...model.entities.flatMap((entity) => {
      return from(entity.name, [
        ...named(entity.ownRecord),
        ...named(entity.types),
        ...named(entity.enums),
        ...entity.actions.map(paramsName),
      ]);
    }),
    ...from("shared", [...named(model.types), ...named(model.enums)]),
  ];
}

/** For the compiler: what the entities' methods take and answer, by the properties of the client. */
function entitiesInterface(name: string, model: ConnectorModel, module: Module): string {
  const homes = new Map(
    model.entities.flatMap((entity) => [...entity.types, ...entity.ownRecord].map((type) => [type.name, entity] as const)),
  );
  const shared = new Set(model.types.map((type) => type.name));
  const record = (entity: EntityModel) => {
    const home = homes.get(entity.record.name);
    if (home !== undefined) return `${entityConstant(home)}.${entity.record.name}`;
    return shared.has(entity.record.name) ? module.use(entity.record.name, "./shared.ts", "type") : "object";
  };
  const types = typesOf(model);
  const entities = model.entities.map((entity) => {
    const semantic = (types.get(entity.record.name) ?? entity.record).fields.filter((field) => field.semantic !== undefined);
    const members = [
      `name: ${JSON.stringify(entity.name)};`,
      `actions: ${actionsType(entity)};`,
      `record: ${record(entity)};`,
      `search: { ${Object.entries(entity.store.fields)
        .map(([field, plan]) => `${field}: ${JSON.stringify(searchType(plan))}`)
        .join("; ")} };`,
      ...(semantic.length === 0 ? [] : [`semantic: ${semantic.map((field) => JSON.stringify(field.name)).join(" | ")};`]),
    ];
    return `  /** ${commentText(entity.doc)} */\n  ${propertyName(entity.name)}: {\n${members.map((member) => `    ${member}\n`).join("")}  };\n`;
  });
  return `\n/** What the methods of {@link ${name}} take and return. */\nexport interface ${name}Entities {\n${entities.join("")}}`;
}

/** What local mode takes as `credential`: each kind with its values. */
function credentialTypes(name: string, model: ConnectorModel): string {
  const kinds = model.platform.auth.kinds.map((kind) => {
    const members = [
      `kind: ${JSON.stringify(kind.name)}`,
      ...Object.keys(kind.values).map((value) => `${camelCase(value)}: string`),
    ];
    return `\n  | { ${members.map((member) => `readonly ${member}`).join("; ")} }`;
  });
  const options = ownOptions.map(
    (type) => `export type ${type} = import(${JSON.stringify(libraryOf(model))}).${type}<${name}Credential>;\n`,
  );
  return `\n/** The credentials that ${commentText(model.title)} takes. */\nexport type ${name}Credential =${kinds.join("")};\n${options.join("")}`;
}

/** The handlers by the names of their methods. An action of the spec's own has a handler of another name: `delete` and `deleteAction`. */
function actionsType(entity: EntityModel): string {
  const module = entityConstant(entity);
  const named = entity.actions.map((action) => [camelCase(action.name), handlerName(action)] as const);
  const usual = named.filter(([method, handler]) => method === handler).map(([method]) => JSON.stringify(method));
  const own = named
    .filter(([method, handler]) => method !== handler)
    .map(([method, handler]) => `${method}: typeof ${module}.${handler}`);
  const picked = `Pick<typeof ${module}, ${usual.length === 0 ? "never" : usual.join(" | ")}>`;
  return own.length === 0 ? picked : `${picked} & { ${own.join("; ")} }`;
}

function camelCase(action: string): string {
  return action.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function searchType({ type, list }: SearchField): string {
  return list === undefined ? type : `${type}[]`;
}

function clientPlan(model: ConnectorModel): unknown {
  return {
    name: model.name,
    title: model.title,
    entities: Object.fromEntries(
      model.entities.map((entity) => [
        entity.name,
        Object.fromEntries(
          entity.actions.map((action) => {
            const paging = pagingOf(action.operation);
            return [
              action.name,
              { ...(action.traits.writes ? { writes: true } : {}), ...(paging === undefined ? {} : { cursor: paging.cursor }) },
            ];
          }),
        ),
      ]),
    ),
  };
}
