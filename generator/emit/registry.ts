import { connectorConstant } from "../model/names.ts";
import type { ConnectorModel } from "../model/types.ts";
import type { ModuleContent } from "../print/content.ts";
import { Code, literal } from "../print/literal.ts";
import { Module } from "../print/module.ts";
import { entityConstant, storeName } from "../print/names.ts";
import { constant, contractModule } from "./declarations.ts";
import { type ConnectorEmitter, generatedHeader } from "./emitter.ts";

/** `facts.ts` of a connector: what is needed of it before its entities are used. `index.ts`: these facts and its entities. */
export const registryEmitter: ConnectorEmitter = {
  connector: (model) => {
    const module = new Module();
    for (const entity of model.entities) module.use(`entity as ${entityConstant(entity)}`, `./${entity.name}.ts`, "value");
    const entities = Object.fromEntries(model.entities.map((entity) => [entity.name, new Code(entityConstant(entity))]));
    const value = `{\n  ...${module.use("facts", "./facts.ts", "value")},\n  entities: ${literal(entities, 2)},\n}`;
    const type = module.use("Connector", contractModule(model.library), "type");
    module.add(constant(connectorConstant(model.name), type, value, model.doc));
    return [
      { path: "facts.ts", content: factsModule(model) },
      { path: "index.ts", content: module.content(generatedHeader(model.file)) },
    ];
  },
};

function factsModule(model: ConnectorModel): ModuleContent {
  const module = new Module();
  const contract = contractModule(model.library);
  const type = module.use("StorePlan", contract, "type");
  const others = new Map(model.entities.map((entity) => [entity.name, entity]));
  // An entity that shares another's record is searched like it; its key may be another.
  const shared = model.entities.filter(({ like }) => like !== undefined);
  for (const entity of [...model.entities.filter(({ like }) => like === undefined), ...shared]) {
    const other = others.get(entity.like ?? "");
    const name = other === undefined ? "" : storeName(other);
    const sameKey = other?.store.key.join() === entity.store.key.join();
    const own =
      other === undefined ? literal(entity.store) : sameKey ? name : `{ ...${name}, key: ${literal(entity.store.key)} }`;
    module.add(constant(storeName(entity), type, own));
  }
  const value = {
    name: model.name,
    title: model.title,
    example: model.example,
    platform: model.platform,
    compat: model.compat,
    simulator: model.simulator === undefined ? undefined : new Code(moduleAddress(model.simulator)),
    openapi: new Code(moduleAddress("./openapi.json")),
    scopes: model.scopes,
    webhooks: model.webhooks,
  };
  const stores = Object.fromEntries(model.entities.map((entity) => [entity.name, new Code(storeName(entity))]));
  const types = module.use("ConnectorFacts", contract, "type");
  module.add(constant("stores", `${types}["stores"]`, literal(stores)), constant("facts", `${types}["facts"]`, literal(value)));
  return module.content(generatedHeader(model.file));
}

/**
 * `generated/index.ts`: all connectors. In this repository each is loaded when its entities are first used, because most services use only
 * a few. A project that uses this package has only connectors that it uses, and its own tools may have to follow the imports.
 */
export function connectorsModule(connectors: readonly string[], library?: string): ModuleContent {
  const module = new Module();
  const names = [...connectors].sort();
  const contract = contractModule(library, 0);
  const entry = (name: string) => {
    const found = connectorConstant(name);
    if (library !== undefined) return new Code(module.use(found, `./${name}/index.ts`, "value"));
    module.use(`* as ${found}`, `./${name}/facts.ts`, "value");
    const lazy = module.use("lazyConnector", contract, "value");
    return new Code(`${lazy}(${found}, () => load(${moduleAddress(`./${name}/index.ts`)}).${found})`);
  };
  const entries = names.map(entry);
  if (library === undefined) {
    const require = `${module.use("createRequire", "node:module", "value")}(import.meta.url)`;
    module.add(
      `\nconst require = ${require};`,
      `const load = (module: URL) => require(${module.use("fileURLToPath", "node:url", "value")}(module));`,
    );
  }
  const type = `readonly ${module.use("Connector", contract, "type")}[]`;
  module.add(constant("connectors", type, literal(entries), "Every connector that this repository has a spec of."));
  return module.content(generatedHeader("spec/"));
}

/** An address and not an import: what a module needs is loaded when it is used, and where it is used. */
function moduleAddress(path: string): string {
  return `new URL(${JSON.stringify(path)}, import.meta.url)`;
}
