import { actionTraits, type SyncBatch } from "../../runtime/contract/index.ts";
import { generatedActions, typesOf } from "../model/parts.ts";
import type { ActionModel, EntityModel } from "../model/types.ts";
import { Code, literal } from "../print/literal.ts";
import { Module } from "../print/module.ts";
import { handlerName, paramsName, planName, storeName } from "../print/names.ts";
import {
  constant,
  contractModule,
  type DeclarationContext,
  enumDeclaration,
  paramsDeclaration,
  planDeclaration,
  typeDeclaration,
  useName,
} from "./declarations.ts";
import { type EntityEmitter, generatedHeader } from "./emitter.ts";

/** `<entity>.ts`: types, plans and handlers of one entity. */
export const handlersEmitter: EntityEmitter = {
  entity: (entity, model) => {
    const module = new Module();
    const types = typesOf(model);
    const homes = new Map<string, string>([
      ...[...model.enums, ...model.types].map((one) => [one.name, "./shared.ts"] as const),
      ...model.entities.flatMap((other) =>
        [...other.enums, ...other.types, ...other.ownRecord].map((one) => [one.name, `./${other.name}.ts`] as const),
      ),
    ]);
    const scope: DeclarationContext = {
      module,
      contract: contractModule(model.library),
      importOf: (name) => (homes.get(name) === `./${entity.name}.ts` ? undefined : homes.get(name)),
      typeOf: (name) => types.get(name),
    };
    for (const one of entity.enums) module.add(enumDeclaration(one));
    const own = [...entity.ownRecord, ...entity.types];
    for (const type of own) module.add(typeDeclaration(type, scope));
    for (const action of generatedActions(entity)) module.add(paramsDeclaration(action, scope));
    for (const type of own) module.add(planDeclaration(type, scope, type === entity.record ? entity.overflow : undefined));
    for (const action of generatedActions(entity)) module.add(handler(action, scope));
    const batches = batchNames(entity);
    for (const [text, name] of batches)
      module.add(constant(name, module.use("SyncBatch", scope.contract, "type"), text, "How a sync reads for several parents."));
    module.add(entityDeclaration(entity, batches, scope));
    return [{ path: `${entity.name}.ts`, content: module.content(generatedHeader(entity.file)) }];
  },
};

function handler(action: ActionModel, scope: DeclarationContext): string {
  const { module } = scope;
  const validate = module.use(`${handlerName(action)}Params`, `./validators/${action.entity}.js`, "value");
  const definition = {
    name: `${action.entity}.${action.name}`,
    traits: traitsCode(action, scope),
    params: action.params.map((param) => param.name),
    validate: new Code(validate),
    operation: { ...action.operation, record: new Code(useName(planName(action.returns), action.returns.name, "value", scope)) },
    changes: action.changes.length === 0 ? undefined : action.changes,
    transitions: action.transitions.length === 0 ? undefined : action.transitions,
  };
  const type = `${module.use("Action", scope.contract, "type")}<${paramsName(action)}, ${resultType(action, scope)}>`;
  return constant(handlerName(action), type, literal(definition), action.doc);
}

/** The entry of the table, where the action is as the table says. */
function traitsCode({ name, traits }: ActionModel, { module, contract }: DeclarationContext): unknown {
  const usual = name === "sync" ? "list" : name;
  const entry = Object.entries(actionTraits).find(([other]) => other === usual)?.[1];
  const same = entry !== undefined && Object.entries(entry).every(([key, value]) => traits[key as keyof typeof traits] === value);
  return same ? new Code(`${module.use("actionTraits", contract, "value")}.${usual}`) : traits;
}

function resultType({ traits, returns }: ActionModel, scope: DeclarationContext): string {
  const envelope = scope.module.use(traits.writes ? "Answer" : traits.list ? "Page" : "Single", scope.contract, "type");
  return `${envelope}<${useName(returns.name, returns.name, "type", scope)}>`;
}

/** The batches of an entity as source text, each with the name of its constant. Plans with the same batch share it. */
function batchNames({ sync }: EntityModel): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (action: ActionModel["name"], batch: SyncBatch) => {
    const text = literal(batch);
    const base = `${handlerName({ name: action })}Batch`;
    const taken = [...names.values()].filter((name) => name.startsWith(base)).length;
    if (!names.has(text)) names.set(text, taken === 0 ? base : `${base}${taken + 1}`);
  };
  for (const { action, each, verification } of sync) {
    if (each?.batch !== undefined) add(action, each.batch);
    if (verification !== undefined) add(verification.action, verification.batch);
  }
  return names;
}

/** The same plan with the name of its batch's constant. */
function batchNamed(plan: { readonly batch?: SyncBatch }, batches: ReadonlyMap<string, string>): object {
  return plan.batch === undefined ? plan : { ...plan, batch: new Code(batches.get(literal(plan.batch)) ?? "") };
}

function entityDeclaration(entity: EntityModel, batches: ReadonlyMap<string, string>, scope: DeclarationContext): string {
  const { record, sync } = entity;
  const value = {
    actions: Object.fromEntries(entity.actions.map((action) => [action.name, new Code(handlerName(action))])),
    record: new Code(useName(planName(record), record.name, "value", scope)),
    store: new Code(scope.module.use(storeName(entity), "./facts.ts", "value")),
    ...(entity.aliases === undefined ? {} : { aliases: entity.aliases }),
    brief: entity.brief,
    sync: sync.map(({ scope: name, action, each, verification, ...rest }) => ({
      scope: name,
      action: new Code(handlerName({ name: action })),
      ...rest,
      ...(verification === undefined
        ? {}
        : {
            verification: { ...batchNamed(verification, batches), action: new Code(handlerName({ name: verification.action })) },
          }),
      ...(each === undefined ? {} : { each: batchNamed(each, batches) }),
    })),
    ...(entity.relations.length === 0 ? {} : { relations: entity.relations }),
  };
  return constant("entity", scope.module.use("Entity", scope.contract, "type"), literal(value), entity.doc);
}
