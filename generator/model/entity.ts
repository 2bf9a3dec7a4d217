import type { LoadedConnector } from "../load/load.ts";
import type { Source } from "../load/source.ts";
import type { ActionNameSpec, EntitySpec } from "../load/spec.ts";
import { buildAction } from "./action.ts";
import type { BuildContext } from "./context.ts";
import { buildFields, buildTypes } from "./record-types.ts";
import { checkTransitions } from "./transitions.ts";
import type { ActionModel, EntityModel, FieldModel, TypeModel } from "./types.ts";

const actionOrder: readonly ActionNameSpec[] = ["get", "list", "api_search", "create", "update"];

export function buildEntity(
  { spec, source }: LoadedConnector["entities"][number],
  built: readonly EntityModel[],
  context: BuildContext,
): EntityModel | undefined {
  const own = buildTypes(spec.types ?? {}, source, spec.entity, context);
  const shared = recordOf(spec, source, built, context);
  if (shared === undefined) return undefined;
  const { record, key } = shared;
  checkKey(key, record, source, context);
  const actions: ActionModel[] = [];
  for (const name of actionOrder) {
    const action = spec.actions[name];
    if (action === undefined) continue;
    const model = buildAction(spec, name, action, record, source, context);
    if (model !== undefined) actions.push(model);
  }
  checkTransitions(spec, actions, source, context);
  return {
    name: spec.entity,
    title: spec.title,
    doc: spec.doc,
    file: source.path,
    record,
    key,
    like: spec.like,
    enums: Object.keys(spec.enums ?? {}).flatMap((name) => context.enums.get(name) ?? []),
    types: own,
    actions,
    transitions: spec.transitions ?? [],
  };
}

function recordOf(
  spec: EntitySpec,
  source: Source,
  built: readonly EntityModel[],
  context: BuildContext,
): { record: TypeModel; key: string } | undefined {
  const { diagnostics } = context;
  if (spec.like !== undefined) {
    const other = built.find((entity) => entity.name === spec.like);
    if (spec.record !== undefined || spec.fields !== undefined || spec.on !== undefined)
      diagnostics.error(source.at(["like"]), "SPEC016", "an entity with `like` has no `record`, `on` and `fields` of its own");
    if (other === undefined) {
      diagnostics.error(source.at(["like"]), "SPEC003", `unknown entity "${spec.like}"`, "it must have a record of its own");
      return undefined;
    }
    return { record: other.record, key: spec.key ?? other.key };
  }
  if (spec.record === undefined || spec.fields === undefined) {
    diagnostics.error(source.at(["entity"]), "SPEC016", `entity "${spec.entity}" needs \`record\` and \`fields\`, or \`like\``);
    return undefined;
  }
  const fields = buildFields(
    { ...(spec.on === undefined ? {} : { on: spec.on }), fields: spec.fields },
    ["fields"],
    source,
    context,
  );
  const key = spec.key ?? "id";
  const record: TypeModel = {
    name: spec.record,
    doc: spec.doc,
    ...(spec.on === undefined ? {} : { on: spec.on }),
    fields: inOrder(fields, key),
    home: spec.entity,
  };
  context.types.set(spec.record, record);
  return { record, key };
}

/** For readers: the key first, then what is given by default, then what is given on request; each by name. */
function inOrder(fields: readonly FieldModel[], key: string): FieldModel[] {
  const rank = (field: FieldModel) => (field.name === key ? 0 : field.onRequest ? 2 : 1);
  return [...fields].sort((a, b) => rank(a) - rank(b));
}

function checkKey(key: string, record: TypeModel, source: Source, context: BuildContext): void {
  let type: TypeModel | undefined = record;
  for (const name of key.split(".")) {
    const field: TypeModel["fields"][number] | undefined = type?.fields.find((one) => one.name === name);
    if (field === undefined) {
      context.diagnostics.error(source.at(["key"]), "SPEC003", `the key "${key}" is no field of ${record.name}`);
      return;
    }
    type = field.type.kind === "type" ? context.types.get(field.type.name) : undefined;
  }
}
