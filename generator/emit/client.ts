import { pagingOf, type SearchField } from "../../runtime/contract/index.ts";
import { connectorConstant } from "../model/names.ts";
import type { ConnectorModel, EntityModel } from "../model/types.ts";
import { commentText } from "../print/doc.ts";
import { Code, literal } from "../print/literal.ts";
import { Module } from "../print/module.ts";
import { clientName, entityConstant, handlerName, paramsName, propertyName } from "../print/names.ts";
import { constant } from "./declarations.ts";
import { type ConnectorEmitter, generatedHeader, typesOf } from "./emitter.ts";

/** The connector's own module, which the client loads for local mode only. */
const registry = "./index.ts";

/** `client.ts`: the client library of a connector. It is a table; what works with it is in runtime/client. */
export const clientEmitter: ConnectorEmitter = {
  connector: (model) => {
    const library = model.library ?? "../../runtime/client/index.ts";
    const module = new Module();
    const name = clientName(model);
    for (const entity of model.entities) module.use(`* as ${entityConstant(entity)}`, `./${entity.name}.ts`, "type");
    module.add(
      ...[`export * from ${JSON.stringify(library)};`, ...exportedTypes(model, name)].map((line) => `${line}\n`),
      entitiesInterface(name, model, module),
      constant(
        name,
        `${module.use("ConnectorClass", library, "type")}<${name}Entities>`,
        `${module.use("connectorClass", library, "value")}(${literal(clientPlan(model))})`,
        `Client of ${model.title}. ${model.doc}`,
      ),
      `\nexport type ${name} = ${module.use("Client", library, "type")}<${name}Entities>;`,
    );
    return [{ path: "client.ts", text: module.print(generatedHeader(model.file)) }];
  },
};

/** Every type that a method takes or answers, so that users can name it. */
function exportedTypes(model: ConnectorModel, own: string): string[] {
  const from = (file: string, names: readonly string[]) => {
    const others = names.filter((name) => name !== own).sort();
    return others.length === 0 ? [] : [`export type { ${others.join(", ")} } from "./${file}.ts";`];
  };
  const named = (many: readonly { readonly name: string }[]) => many.map(({ name }) => name);
  return [
    ...model.entities.flatMap((entity) => {
      const record = entity.like === undefined ? [entity.record.name] : [];
      return from(entity.name, [...record, ...named(entity.types), ...named(entity.enums), ...entity.actions.map(paramsName)]);
    }),
    ...from("shared", [...named(model.types), ...named(model.enums)]),
  ];
}

/** For the compiler: what the entities' methods take and answer, by the properties of the client. */
function entitiesInterface(name: string, model: ConnectorModel, module: Module): string {
  const homes = new Map(
    model.entities.flatMap((entity) =>
      [...entity.types, ...(entity.like === undefined ? [entity.record] : [])].map((type) => [type.name, entity] as const),
    ),
  );
  const shared = new Set(model.types.map((type) => type.name));
  const record = (entity: EntityModel) => {
    const home = homes.get(entity.record.name);
    if (home !== undefined) return `${entityConstant(home)}.${entity.record.name}`;
    return shared.has(entity.record.name) ? module.use(entity.record.name, "./shared.ts", "type") : "object";
  };
  const types = typesOf(model);
  const entities = model.entities.map((entity) => {
    const [plain, renamed] = [true, false].map((same) =>
      entity.actions.filter((action) => (handlerName(action) === propertyName(action.name)) === same),
    );
    const methods = (plain ?? []).map((action) => JSON.stringify(handlerName(action))).join(" | ");
    // A handler whose name would be a word of the language has another one; the method has the name of the action.
    const others = (renamed ?? []).map(
      (action) => `${propertyName(action.name)}: typeof ${entityConstant(entity)}.${handlerName(action)}`,
    );
    const semantic = (types.get(entity.record.name) ?? entity.record).fields.filter((field) => field.semantic !== undefined);
    const members = [
      `name: ${JSON.stringify(entity.name)};`,
      `actions: Pick<typeof ${entityConstant(entity)}, ${methods === "" ? "never" : methods}>${others.length === 0 ? "" : ` & { ${others.join("; ")} }`};`,
      `record: ${record(entity)};`,
      `search: { ${Object.entries(entity.store.fields)
        .map(([field, plan]) => `${field}: ${JSON.stringify(searchType(plan))}`)
        .join("; ")} };`,
      ...(semantic.length === 0 ? [] : [`semantic: ${semantic.map((field) => JSON.stringify(field.name)).join(" | ")};`]),
    ];
    return `  /** ${commentText(entity.doc)} */\n  ${propertyName(entity.name)}: {\n${members.map((member) => `    ${member}\n`).join("")}  };\n`;
  });
  return `\n/** What the methods of {@link ${name}} take and answer. */\nexport interface ${name}Entities {\n${entities.join("")}}`;
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
    connector: new Code(`async () => (await import(${JSON.stringify(registry)})).${connectorConstant(model.name)}`),
  };
}
