import type { ActionModel, ConnectorModel, EntityModel } from "../model/types.ts";
import { Code, literal } from "../print/literal.ts";
import { Module } from "../print/module.ts";
import { entityConstant, handlerName, paramsName, planName } from "../print/names.ts";
import {
  constant,
  contractModule,
  enumDeclaration,
  paramsDeclaration,
  planDeclaration,
  type Scope,
  typeDeclaration,
  useName,
} from "./declarations.ts";
import { type EntityEmitter, generatedActions, generatedHeader, typesOf } from "./emitter.ts";

/** `<entity>.ts`: types, plans and handlers of one entity. */
export const handlersEmitter: EntityEmitter = {
  entity: (entity, model) => {
    const module = new Module();
    const types = typesOf(model);
    const homes = new Map<string, string>([
      ...[...model.enums, ...model.types].map((one) => [one.name, "./shared.ts"] as const),
      ...model.entities.flatMap((other) =>
        [...other.enums, ...other.types, ...(other.like === undefined ? [other.record] : [])].map(
          (one) => [one.name, `./${other.name}.ts`] as const,
        ),
      ),
    ]);
    const scope: Scope = {
      module,
      contract: contractModule(model.library),
      importOf: (name) => (homes.get(name) === `./${entity.name}.ts` ? undefined : homes.get(name)),
      typeOf: (name) => types.get(name),
    };
    for (const one of entity.enums) module.add(enumDeclaration(one));
    const own = [...(entity.like === undefined ? [entity.record] : []), ...entity.types];
    for (const type of own) module.add(typeDeclaration(type, scope));
    for (const action of generatedActions(entity)) module.add(paramsDeclaration(action, scope));
    for (const type of own) module.add(planDeclaration(type, scope));
    for (const action of generatedActions(entity)) module.add(handler(action, scope));
    module.add(entityDeclaration(entity, model, scope));
    return [{ path: `${entity.name}.ts`, text: module.print(generatedHeader(entity.file)) }];
  },
};

function handler(action: ActionModel, scope: Scope): string {
  const { module } = scope;
  const validate = module.use(`${handlerName(action)}Params`, `./validators/${action.entity}.js`, "value");
  const definition = {
    name: `${action.entity}.${action.name}`,
    traits: new Code(`${module.use("actionTraits", scope.contract, "value")}.${action.name === "sync" ? "list" : action.name}`),
    params: action.params.map((param) => param.name),
    validate: new Code(validate),
    operation: { ...action.operation, record: new Code(useName(planName(action.returns), action.returns.name, "value", scope)) },
    transitions: action.transitions.length === 0 ? undefined : action.transitions,
  };
  const type = `${module.use("Action", scope.contract, "type")}<${paramsName(action)}, ${resultType(action, scope)}>`;
  return constant(handlerName(action), type, literal(definition), action.doc);
}

function resultType({ traits, returns }: ActionModel, scope: Scope): string {
  const envelope = scope.module.use(traits.writes ? "Answer" : traits.list ? "Page" : "Single", scope.contract, "type");
  return `${envelope}<${useName(returns.name, returns.name, "type", scope)}>`;
}

function entityDeclaration(entity: EntityModel, model: ConnectorModel, scope: Scope): string {
  const { record, sync } = entity;
  const value = {
    actions: Object.fromEntries(entity.actions.map((action) => [action.name, new Code(handlerName(action))])),
    record: new Code(useName(planName(record), record.name, "value", scope)),
    store: storeValue(entity, model, scope),
    sync: sync.map(({ scope: name, action, ...rest }) => ({
      scope: name,
      action: new Code(handlerName({ name: action })),
      ...rest,
    })),
  };
  return constant("entity", scope.module.use("Entity", scope.contract, "type"), literal(value), entity.doc);
}

/** An entity that shares another's record is searched like it; its key may be another. */
function storeValue({ like, store }: EntityModel, model: ConnectorModel, { module }: Scope): unknown {
  const other = model.entities.find((one) => one.name === like);
  if (other === undefined) return store;
  const name = entityConstant(other);
  module.use(`entity as ${name}`, `./${other.name}.ts`, "value");
  const sameKey = other.store.key.join() === store.key.join();
  return new Code(sameKey ? `${name}.store` : `{ ...${name}.store, key: ${literal(store.key)} }`);
}
