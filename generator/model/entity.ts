import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { actionTraits } from "../../runtime/contract/index.ts";
import { anyName, type Facts, fieldType } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { Source } from "../load/source.ts";
import type { EntitySpec } from "../load/spec.ts";
import { buildAction, returnType } from "./action.ts";
import type { BuildContext } from "./context.ts";
import { checkParamNames } from "./param-field.ts";
import { buildFields, buildTypes } from "./record-types.ts";
import { isStored, storePlan } from "./search.ts";
import { semanticPlan } from "./semantic.ts";
import { checkTransitions } from "./transitions.ts";
import { type ActionModel, type EntityModel, type FieldModel, isOpen, type TypeModel } from "./types.ts";

/** The usual actions in the order of their table, then the others by name, then the one that only a sync calls. */
function actionNames(spec: EntitySpec): string[] {
  const usual = Object.keys(actionTraits);
  const own = Object.keys(spec.actions).filter((name) => !usual.includes(name) && name !== "sync");
  return [...usual, ...own.sort(), "sync"];
}

export function buildEntity(
  { spec, source }: LoadedConnector["entities"][number],
  built: readonly EntityModel[],
  context: BuildContext,
): EntityModel | undefined {
  const own = buildTypes(spec.types ?? {}, source, spec.entity, context);
  const shared = isBare(spec) ? bareRecord(spec, source, context) : recordOf(spec, source, built, context);
  if (shared === undefined) return undefined;
  const { record, key } = shared;
  // A field that is written but wrong, or misspelled, has diagnostics of its own.
  const faulty = Object.keys(spec.fields ?? {}).filter((name) => !record.fields.some((field) => field.name === name));
  const wrong = (path: string) =>
    !record.fields.some((field) => field.name === topOf(path)) && nearest(topOf(path), faulty) !== undefined;
  for (const [index, path] of key.entries()) if (!wrong(path)) checkKey(path, index, record, source, context);
  const actions: ActionModel[] = [];
  for (const name of actionNames(spec)) {
    const action = Object.hasOwn(spec.actions, name) ? spec.actions[name] : undefined;
    if (action === undefined) continue;
    const model = buildAction(spec, name, action, record, source, context);
    if (model !== undefined) actions.push(model);
  }
  checkTransitions(spec, actions, source, context);
  const semantic = semanticPlan(spec, record, source, context);
  const brief = spec.brief ?? built.find((one) => one.name === spec.like)?.brief ?? usualBrief(record, key);
  for (const [index, path] of (spec.brief ?? []).entries()) if (!wrong(path)) checkBrief(path, index, record, source, context);
  return {
    name: spec.entity,
    title: spec.title,
    doc: spec.doc,
    file: source.path,
    record,
    ownRecord: spec.record === undefined ? [] : [record],
    store: {
      ...storePlan(key, record.fields, Object.keys(context.connector.spec.scopes ?? {})),
      ...(semantic === undefined ? {} : { semantic }),
    },
    addition: spec.addition === true,
    aliases: spec.aliases,
    brief,
    sync: [],
    relations: [],
    like: spec.like,
    enums: Object.keys(spec.enums ?? {}).flatMap((name) => context.enums.get(name) ?? []),
    types: own,
    actions: actions.filter(({ name }) => name !== "sync"),
    syncAction: actions.find((action) => action.name === "sync"),
    transitions: spec.transitions ?? [],
  };
}

/** Whether an entity has no records: only actions, each of which says what it returns. */
function isBare({ record, fields, like }: EntitySpec): boolean {
  return record === undefined && fields === undefined && like === undefined;
}

/** The type of an entity without records: what its first action returns. Nothing is stored, so it has no key. */
function bareRecord(
  spec: EntitySpec,
  source: Source,
  context: BuildContext,
): { record: TypeModel; key: readonly string[] } | undefined {
  const { diagnostics } = context;
  const needs = "`record` and `fields`, or `like`";
  const wrong = (path: readonly string[], message: string, hint: string) =>
    diagnostics.error(source.at(path), "SPEC016", `entity "${spec.entity}" has no record, so ${message}`, hint);
  const answers = Object.entries(spec.actions);
  const [unsaid, ...others] = answers.flatMap(([name, { returns }]) => (returns === undefined ? name : []));
  if (unsaid !== undefined) {
    const also = others.length === 0 ? "" : `; the same goes for ${others.map((name) => `"${name}"`).join(", ")}`;
    wrong(["actions", unsaid], `action "${unsaid}" needs \`returns\``, `an entity that has records needs ${needs}${also}`);
    return undefined;
  }
  for (const key of ["on", "key", "brief", "hit", "sync", "transitions"] as const)
    if (spec[key] !== undefined) wrong([key], `\`${key}\` has no effect`, `it needs ${needs}`);
  const types = answers.map(([name, { returns = "" }]) => returnType(returns, source.at(["actions", name, "returns"]), context));
  const [record] = types;
  return record === undefined || types.includes(undefined) ? undefined : { record, key: [] };
}

function recordOf(
  spec: EntitySpec,
  source: Source,
  built: readonly EntityModel[],
  context: BuildContext,
): { record: TypeModel; key: readonly string[] } | undefined {
  const { diagnostics } = context;
  const ownKey = typeof spec.key === "string" ? [spec.key] : spec.key;
  if (spec.like !== undefined) {
    const other = built.find((entity) => entity.name === spec.like);
    const names = built.map(({ name }) => name);
    if (spec.record !== undefined || spec.fields !== undefined || spec.on !== undefined)
      diagnostics.error(source.at(["like"]), "SPEC016", "an entity with `like` cannot have its own `record`, `on` and `fields`");
    if (other === undefined) {
      const message = `there is no entity "${spec.like}" with its own record`;
      const { complete, entities } = context.connector;
      // One that is written but wrong has diagnostics of its own.
      if (complete && !entities.some((one) => one.spec.entity === spec.like && one.spec.like === undefined))
        diagnostics.error(source.at(["like"]), "SPEC003", message, suggestion(spec.like, names), {
          lacks: [{ kind: "entity", name: spec.like }],
        });
      return undefined;
    }
    return { record: other.record, key: ownKey ?? other.store.key };
  }
  if (spec.record === undefined || spec.fields === undefined) {
    const message = `entity "${spec.entity}" needs \`record\` and \`fields\`, or \`like\``;
    diagnostics.error(source.at(["entity"]), "SPEC016", message, undefined, { loses: [{ kind: "type", name: anyName }] });
    return undefined;
  }
  // What a field reads, and as what, may be wrong for this entity alone.
  const isOfUse = (key: string) => ["type", "from", "cut", "param"].includes(key);
  const at = (field: string, key?: string) => {
    const own = spec.fields?.[field];
    const position = source.at(["fields", field, ...(key === undefined ? [] : [key])]);
    const inherited = key === undefined || isOfUse(key) ? undefined : context.shared.at("fields", field, own, [key]);
    return inherited ?? context.shared.use("fields", field, own, position, key);
  };
  const written = Object.entries(spec.fields).map(([name, own]) => [name, context.shared.field(name, own)] as const);
  const fields = buildFields(written, spec.on, at, context);
  const key = ownKey ?? ["id"];
  const record: TypeModel = {
    name: spec.record,
    doc: spec.doc,
    ...(spec.on === undefined ? {} : { on: spec.on }),
    fields: inOrder(fields, key),
    home: spec.entity,
  };
  context.types.set(spec.record, record);
  context.positions.set(spec.record, at);
  const actions = context.connector.entities
    .filter((one) => one.source === source || one.spec.like === spec.entity)
    .flatMap((one) => Object.values(one.spec.actions));
  checkParamNames(record, spec.entity, actions, (field) => at(field, "param"), context.diagnostics);
  return { record, key };
}

/**
 * The order that people read fields in: those of the key in its order, then those given by default, then those on request; each by name.
 */
function inOrder(fields: readonly FieldModel[], key: readonly string[]): FieldModel[] {
  const first = key.map(topOf);
  const rank = (field: FieldModel) =>
    first.includes(field.name) ? first.indexOf(field.name) : first.length + (field.onRequest ? 1 : 0);
  return [...fields].sort((a, b) => rank(a) - rank(b));
}

/** The first field of a path that does not exist: `name`, or `Person.name`. */
function lacksField(path: string, record: TypeModel, context: BuildContext): Facts {
  const names = path.split(".");
  const first = names.findIndex((_, index) => fieldsAt(names.slice(0, index + 1).join("."), record, context).length === 0);
  const parent = fieldsAt(names.slice(0, first).join("."), record, context).at(-1)?.type.name;
  return { lacks: [{ kind: "field", name: [parent, names[first]].filter((one) => one !== undefined).join(".") }] };
}

const topOf = (path: string) => path.split(".", 1)[0] ?? path;

/** Checks that each part of the key is a single value that every stored record has. */
function checkKey(path: string, index: number, record: TypeModel, source: Source, context: BuildContext): void {
  const wrong = (code: "SPEC003" | "SPEC016" | "SPEC018", message: string, hint?: string, facts?: Facts) =>
    context.diagnostics.error(source.at(["key", index]), code, `the key "${path}" ${message}`, hint, facts);
  const steps = fieldsAt(path, record, context);
  const last = steps.at(-1);
  const names = record.fields.map(({ name }) => name);
  if (last === undefined)
    wrong(
      "SPEC003",
      `is not a field of ${record.name}`,
      path.includes(".") ? undefined : suggestion(path, names),
      lacksField(path, record, context),
    );
  else if (last.type.list || last.type.kind === "type" || isOpen(last.type))
    wrong("SPEC016", "is a list or an object, but a key must be a single value", undefined, { lacks: [fieldType(last.name)] });
  else if (steps.some((field, depth) => (depth === 0 ? !isStored(field) : field.onRequest)))
    wrong("SPEC018", "is not stored, because it is given only on request");
}

const mostBrief = 6;

/** The key and the first fields that have a single value in every record. */
function usualBrief({ fields }: TypeModel, key: readonly string[]): string[] {
  const simple = fields.filter(({ type, onRequest }) => !onRequest && !type.list && type.kind !== "type" && !isOpen(type));
  return [...new Set([...key, ...simple.map(({ name }) => name)])].slice(0, mostBrief);
}

/** Checks that a column of a table of records has single values, or a list of them, which both live reads and the cache have. */
function checkBrief(path: string, index: number, record: TypeModel, source: Source, context: BuildContext): void {
  const wrong = (code: "SPEC003" | "SPEC016" | "SPEC018", message: string, hint?: string, facts?: Facts) =>
    context.diagnostics.error(source.at(["brief", index]), code, `the brief field "${path}" ${message}`, hint, facts);
  const steps = fieldsAt(path, record, context);
  const last = steps.at(-1);
  const names = record.fields.map(({ name }) => name);
  if (last === undefined)
    wrong(
      "SPEC003",
      `is not a field of ${record.name}`,
      path.includes(".") ? undefined : suggestion(path, names),
      lacksField(path, record, context),
    );
  else if (last.type.kind === "type" || isOpen(last.type))
    wrong("SPEC016", "is an object: name one of its members, such as author.login", undefined, { lacks: [fieldType(last.name)] });
  else if (steps.some(({ onRequest }) => onRequest)) wrong("SPEC018", "is given only on request, so that lists do not have it");
}

/** The fields that a dotted path names one after the other; none when one of them does not exist. */
function fieldsAt(path: string, record: TypeModel, context: BuildContext): readonly FieldModel[] {
  let type: TypeModel | undefined = record;
  const found: FieldModel[] = [];
  for (const name of path.split(".")) {
    const field: FieldModel | undefined = type?.fields.find((one) => one.name === name);
    if (field === undefined) return [];
    found.push(field);
    type = field.type.kind === "type" ? context.types.get(field.type.name) : undefined;
  }
  return found;
}
