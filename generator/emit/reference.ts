import { readFileSync } from "node:fs";
import Handlebars from "handlebars";
import { type ErrorCode, errorsFrom } from "../../runtime/base/error-codes.ts";
import type { ErrorSource } from "../../runtime/base/error-row.ts";
import { dryRunParam, operatorDocs, pagingOf, sqlAction, storeAction, warningCodes } from "../../runtime/contract/index.ts";
import { typeText } from "../model/type-reference.ts";
import type {
  ActionModel,
  ConnectorModel,
  EntityModel,
  EnumModel,
  ParamModel,
  TypeModel,
  TypeReference,
} from "../model/types.ts";
import { tableText } from "../print/doc.ts";
import { markdownTable, shortTable } from "../print/markdown.ts";
import { range } from "./declarations.ts";
import { type ConnectorEmitter, type EntityEmitter, generatedHeader } from "./emitter.ts";
import { searchView } from "./reference-search.ts";

// The output is Markdown, so nothing is escaped for HTML. With `strict`, a misspelled name in a template is an error.
const template = (name: string) =>
  Handlebars.compile(readFileSync(new URL(`../templates/${name}.hbs`, import.meta.url), "utf8"), {
    noEscape: true,
    strict: true,
  });
const entityPage = template("entity");
const connectorPage = template("connector");

/** `reference/*.md`: a page per entity, and one for what they share. */
export const referenceEmitter: EntityEmitter = {
  entity: (entity, model) => {
    const link = linkTypes(entity, model);
    const same = { doc: `The same record as in [\`${entity.like}\`](${entity.like}.md).` };
    const types = [
      ...entity.ownRecord.map((type) => typeView(type, link)),
      ...(entity.like === undefined ? [] : [{ ...typeView(entity.record, link), ...same }]),
      ...entity.types.map((type) => typeView(type, link)),
    ];
    const view = {
      header: generatedHeader(entity.file),
      name: entity.name,
      title: entity.title,
      doc: withMark(entity.doc, entity.addition),
      actions: entity.actions.map((action) => actionView(action, entity, link)),
      // One where the entity has records in the cache, none where it has not: the templates hold no conditions.
      search: entity.sync.length === 0 ? [] : [{ ...searchView(entity), errors: searchErrors(entity) }],
      types,
      enums: entity.enums.map(enumView),
    };
    return [{ path: `reference/${entity.name}.md`, text: tidy(entityPage(view)) }];
  },
};

export const indexEmitter: ConnectorEmitter = {
  connector: (model) => {
    const link = linkTypes(undefined, model);
    const view = {
      header: generatedHeader(model.file),
      title: model.title,
      doc: model.doc,
      auth: model.auth.map(({ kind, doc, env }) => ({
        kind: kind === undefined ? "" : ` (\`${kind}\`)`,
        doc,
        env: env.map((name) => `\`${name}\``).join(" and "),
        mark: model.auth.length === 1 ? "" : "- ",
        variables: env.length === 1 ? "variable" : "variables",
      })),
      addresses: addressViews(model.platform),
      variables: Object.values(model.platform.variables ?? {}).map(({ doc, env }) => ({ doc, env })),
      entities: model.entities.map((entity) => ({
        name: entity.name,
        actions: [...entity.actions.map(({ name }) => name), ...(entity.sync.length === 0 ? [] : [storeAction, sqlAction])]
          .map((name) => `\`${name}\``)
          .join(", "),
        doc: tableText(withMark(entity.doc, entity.addition)),
      })),
      scoped: Object.keys(model.scopes).length === 0 ? [] : [{ scopes: scopeViews(model) }],
      operators: operatorDocs.map(({ name, doc }) => ({ name, doc: tableText(doc) })),
      types: model.types.map((type) => typeView(type, link)),
      enums: model.enums.map(enumView),
      errors: Object.values(model.errors).flatMap((errors) =>
        Object.entries(errors).map(([name, one]) => ({ name, code: one.code, doc: tableText(one.doc) })),
      ),
      warnings: Object.entries(warningCodes).map(([code, { doc }]) => ({ code, doc: tableText(doc) })),
    };
    return [{ path: "reference/index.md", text: tidy(connectorPage(view)) }];
  },
};

function searchErrors(entity: EntityModel): string {
  return codes(errorsFrom(["action", "search", ...(isSemantic(entity) ? ["semantic" as const] : [])]));
}

/** The addresses of the platform that a setting replaces. */
function addressViews({ rest, graphql }: ConnectorModel["platform"]) {
  const derived = graphql?.derive !== undefined && rest?.env !== undefined;
  return [
    { api: "REST", ...rest, note: "" },
    { api: "GraphQL", ...graphql, note: derived ? ` or it follows from \`${rest.env}\`` : "" },
  ].filter(({ env }) => env !== undefined);
}

function scopeViews({ scopes }: ConnectorModel) {
  return Object.entries(scopes).map(([name, { doc, example }]) => ({
    name,
    example: example === undefined ? "" : `\`${example}\``,
    doc: tableText(doc),
  }));
}

interface Link {
  /** A type, as a link to where it is described. */
  (type: TypeReference): string;
  /** The values of an enum, where they are few enough to be listed. */
  values(type: TypeReference): string;
}

/** An enum with more values is described only in its own place. */
const fewValues = 8;

function linkTypes(entity: EntityModel | undefined, model: ConnectorModel): Link {
  const homes = new Map<string, string>();
  for (const one of [...model.enums, ...model.types]) homes.set(one.name, "index.md");
  for (const other of model.entities)
    for (const one of [...other.enums, ...other.types, ...other.ownRecord]) homes.set(one.name, `${other.name}.md`);
  const enums = new Map([model, ...model.entities].flatMap((one) => one.enums.map(({ name, values }) => [name, values])));
  const link = (type: TypeReference) => {
    const home = homes.get(type.name);
    const page = home === undefined || home === `${entity?.name ?? "index"}.md` ? "" : home;
    return home === undefined ? `\`${typeText(type)}\`` : `[\`${typeText(type)}\`](${page}#${type.name.toLowerCase()})`;
  };
  const values = ({ name }: TypeReference) => {
    const all = enums.get(name) ?? [];
    return all.length > fewValues ? "" : all.map(({ value }) => `\`${value}\``).join(", ");
  };
  return Object.assign(link, { values });
}

/** Says of what is not part of the interface of such connectors that it is not. */
function withMark(doc: string, addition: boolean): string {
  return addition ? `${doc} An addition of Tenon to the interface.` : doc;
}

function actionView(action: ActionModel, entity: EntityModel, link: Link) {
  return {
    name: action.name,
    anchor: action.name,
    summary: tableText(/^.*?\.(?= |$)/s.exec(action.doc)?.[0] ?? action.doc),
    doc: withMark(action.doc, action.addition && !entity.addition),
    params: paramTable(action, link),
    request: exampleRequest(action, entity),
    answer: answerText(action, link),
    errors: codes(errorsFrom(sourcesOf(action))),
    transitions: transitionTable(entity.transitions.filter((row) => row.action === action.name)),
  };
}

const transitionHead = ["state before", "parameters", "state after", "may also be set", "condition"];

/** Nothing where there are none. */
function transitionTable(transitions: EntityModel["transitions"]): string {
  const rows = transitions.map((row) => [
    `\`${row.from}\``,
    pairs(row.set),
    `\`${row.to}\``,
    Object.entries(row.allow ?? {})
      .map(([param, values]) => `\`${param}\`: ${values.map((value) => `\`${value}\``).join(", ")}`)
      .join("; "),
    row.condition ?? "",
  ]);
  return rows.length === 0 ? "" : markdownTable(transitionHead, rows);
}

const paramHead = ["parameter", "type", "required", "default", "one of", "what it is"];

/** Parameters with their members behind them: `address`, `address.city`. */
function withMembers(params: readonly ParamModel[], around = ""): (readonly [path: string, param: ParamModel])[] {
  return params.flatMap((param) => {
    const path = around + param.name;
    return [[path, param] as const, ...withMembers(param.members ?? [], `${path}${param.type.list ? "[]" : ""}.`)];
  });
}

function paramTable(action: ActionModel, link: Link): string {
  const rows = withMembers(action.params).map(([name, param]) => [
    `\`${name}\``,
    link(param.type),
    param.required ? "yes" : "",
    param.default === undefined ? "" : `\`${String(param.default)}\``,
    link.values(param.type),
    param.doc + range(param),
  ]);
  const fields = [
    "`fields`",
    "`[string]`",
    "",
    "",
    "",
    "Names of the fields to return; dot paths into objects (`author.login`).",
  ];
  const dryRun = [
    `\`${dryRunParam}\``,
    "`boolean`",
    "",
    "`false`",
    "",
    "Sends nothing; `meta` has the `document`, its `variables`, and the `points` that the call would cost.",
  ];
  return shortTable(paramHead, [...rows, fields, ...(action.traits.writes ? [] : [dryRun])]);
}

/** What the errors of an action can come from. */
function sourcesOf({ traits, transitions }: ActionModel): ErrorSource[] {
  return [
    "action",
    "live",
    ...(traits.list ? (["page"] as const) : []),
    traits.writes ? "write" : "read",
    ...(transitions.length === 0 ? [] : (["transition"] as const)),
  ];
}

function codes(all: readonly ErrorCode[]): string {
  return all.map((code) => `\`${code}\``).join(", ");
}

/** A request with the required parameters and their examples, which works against the simulated platform. */
function exampleRequest(action: ActionModel, entity: EntityModel): string {
  const size = pagingOf(action.operation)?.size;
  const params = {
    ...Object.fromEntries(exampleParams(action).map((param) => [param.name, param.example])),
    // Few records, so that the answer is short enough to be read.
    ...(size === undefined ? {} : { [size]: 2 }),
  };
  const body = { entity: entity.name, action: action.name, ...(Object.keys(params).length === 0 ? {} : { params }) };
  return JSON.stringify(body, null, 2);
}

/** The required parameters. A write that changes something, or needs no parameter, has one more. */
function exampleParams(action: ActionModel): ParamModel[] {
  const required = action.params.filter((param) => param.required && param.example !== undefined);
  const change =
    action.traits.updates || (action.traits.writes && required.length === 0)
      ? action.params.find((param) => !param.required && param.example !== undefined)
      : undefined;
  return change === undefined ? required : [...required, change];
}

function answerText(action: ActionModel, link: Link): string {
  const type = link({ kind: "type", name: action.returns.name, list: false, nullable: false });
  if (action.traits.list) {
    const total = action.operation.kind === "graphql-list" && action.operation.total !== undefined ? ", `total_count`" : "";
    return `Returns \`data\`, a list of ${type}, and \`meta\` with \`has_next_page\`, \`end_cursor\`${total}.`;
  }
  return `Returns \`data\`, one ${type}${!action.traits.writes ? ", and `meta` with `has_next_page` and `end_cursor`, as a list does" : ""}.`;
}

const fieldHead = ["field", "type", "may be null", "searchable", "by meaning", "on request", "one of", "what it is"];

function typeView(type: TypeModel, link: Link) {
  const mark = (is: boolean) => (is ? "yes" : "");
  const rows = type.fields.map((field) => [
    `\`${field.name}\``,
    link(field.type),
    mark(field.type.nullable),
    mark(field.search !== undefined),
    mark(field.semantic !== undefined),
    mark(field.onRequest),
    link.values(field.type),
    field.doc + (field.scope === undefined ? "" : ` Needs the scope \`${field.scope}\`.`),
  ]);
  return { title: type.name, doc: type.doc, fields: shortTable(fieldHead, rows) };
}

function isSemantic(entity: EntityModel): boolean {
  return entity.record.fields.some(({ semantic }) => semantic !== undefined);
}

function enumView(one: EnumModel) {
  return { name: one.name, doc: one.doc, values: one.values.map((value) => ({ value: value.value, doc: tableText(value.doc) })) };
}

function pairs(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `\`${name}\`: \`${value}\``)
    .join(", ");
}

/** Removes the blank lines that templates leave where a block is empty. */
function tidy(text: string): string {
  return `${text.replace(/\n{3,}/g, "\n\n").trim()}\n`;
}
