import { connectorConstant } from "../model/names.ts";
import { Code, literal } from "../print/literal.ts";
import { Module } from "../print/module.ts";
import { entityConstant } from "../print/names.ts";
import { constant, contractModule } from "./declarations.ts";
import { type ConnectorEmitter, generatedHeader } from "./emitter.ts";

/** `index.ts` of a connector: its platform and its entities. */
export const registryEmitter: ConnectorEmitter = {
  connector: (model) => {
    const module = new Module();
    for (const entity of model.entities) module.use(`entity as ${entityConstant(entity)}`, `./${entity.name}.ts`, "value");
    const entities = Object.fromEntries(model.entities.map((entity) => [entity.name, new Code(entityConstant(entity))]));
    const simulator = model.simulator === undefined ? {} : { simulator: new Code(moduleAddress(model.simulator)) };
    const value = {
      name: model.name,
      title: model.title,
      example: model.example,
      platform: model.platform,
      ...(model.compat === undefined ? {} : { compat: model.compat }),
      ...simulator,
      openapi: new Code(moduleAddress("./openapi.json")),
      scopes: model.scopes,
      ...(model.webhooks === undefined ? {} : { webhooks: model.webhooks }),
      entities,
    };
    module.add(
      constant(
        connectorConstant(model.name),
        module.use("Connector", contractModule(model.library), "type"),
        literal(value),
        model.doc,
      ),
    );
    return [{ path: "index.ts", text: module.print(generatedHeader(model.file)) }];
  },
};

/** `generated/index.ts`: all connectors. */
export function connectorsModule(connectors: readonly string[], library?: string): string {
  const module = new Module();
  const names = [...connectors].sort();
  for (const name of names) module.use(connectorConstant(name), `./${name}/index.ts`, "value");
  const type = `readonly ${module.use("Connector", contractModule(library, 0), "type")}[]`;
  module.add(
    constant(
      "connectors",
      type,
      literal(names.map((name) => new Code(connectorConstant(name)))),
      "Every connector that this repository has a spec of.",
    ),
  );
  return module.print(generatedHeader("spec/"));
}

/** An address and not an import: what a module needs is loaded when it is used, and where it is used. */
function moduleAddress(path: string): string {
  return `new URL(${JSON.stringify(path)}, import.meta.url)`;
}
