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
  const creator =
    action.operation.kind === "rest" ? "restAction" : action.operation.kind === "graphql-get" ? "getAction" : "listAction";
  const result = useName(action.returns.name, action.returns.name, "type", scope);
  const validate = module.use(`${handlerName(action)}Params`, `./validators/${action.entity}.js`, "value");
  const definition = {
    name: `${action.entity}.${action.name}`,
    params: action.params.map((param) => param.name),
    validate: new Code(validate),
    operation: { ...action.operation, record: new Code(useName(planName(action.returns), action.returns.name, "value", scope)) },
    transitions: action.transitions.length === 0 ? undefined : action.transitions,
  };
  const create = `${module.use(creator, contractModule, "value")}<${paramsName(action)}, ${resultType(action, result, module)}>`;
  return constant(handlerName(action), undefined, `${create}(${literal(definition)})`, action.doc);
}

/** A REST call gives its answer whole, so its handler's type argument is the answer; the others name the record. */
function resultType(action: ActionModel, record: string, module: Module): string {
  if (action.operation.kind !== "rest") return record;
  const { list, method } = action.operation;
  const envelope = module.use(list !== undefined ? "Page" : method === "GET" ? "Single" : "Answer", contractModule, "type");
  return `${envelope}<${record}>`;
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
  return constant("entity", scope.module.use("Entity", contractModule, "type"), literal(value), entity.doc);
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
