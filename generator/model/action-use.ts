import { suggestion } from "../../runtime/base/suggestion.ts";
import { nearest } from "../../runtime/base/text.ts";
import { variableParams } from "../../runtime/contract/index.ts";
import { type Facts, paramType } from "../diagnostic/diagnostic.ts";
import type { ActionSpec, PageSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import type { PositionOf } from "./operation-context.ts";
import { isBare, pageOf, paging, sizeParamOf } from "./page.ts";
import { fieldParams } from "./param-field.ts";
import type { OperationModel, ParamModel, TypeModel } from "./types.ts";

/** Reports parameters that are never used: what a caller says in them would be lost. */
export function checkUse(
  spec: ActionSpec,
  isList: boolean,
  operation: OperationModel,
  params: readonly ParamModel[],
  returns: TypeModel,
  at: PositionOf,
  context: BuildContext,
): void {
  const page = pageOf(spec, isList);
  const used = new Set<string>(returns.fields.flatMap(fieldParams));
  // What a REST call does not take has been reported where the call is bound.
  const bare = isBare(spec, isList) ? [sizeParamOf(page), paging.cursorParam] : [];
  if (operation.kind === "rest") {
    for (const { name } of params) if (!bare.includes(name)) used.add(name);
  } else {
    for (const name of operation.variables) used.add(name);
    for (const plan of Object.values(operation.computed ?? {})) for (const name of variableParams(plan)) used.add(name);
  }
  checkPage(page, operation, at, context);
  const size = sizeParamOf(page);
  const forPages: readonly string[] = [size, paging.cursorParam];
  if (isList && page.by !== "single") {
    const missing = forPages.filter((name) => !Object.hasOwn(spec.params, name));
    checkPageParams(page, missing, params, at, context);
    for (const name of forPages) used.add(name);
  }
  if (operation.kind !== "rest" && !["connection", "nested", "single"].includes(page.by))
    context.diagnostics.error(
      at("page"),
      "SPEC016",
      `a page by "${page.by}" is one of REST, but the action is bound to GraphQL`,
      "allowed: connection, nested, single",
      { ofPage: { at: at("page") } },
    );
  const unused = params.filter(({ name }) => !used.has(name)).map(({ name }) => name);
  const unpaged = isBare(spec, isList) ? unused.filter((name) => forPages.includes(name)) : [];
  const [first = ""] = unpaged;
  // Where the response has pages too, that is reported where the call is bound.
  if (unpaged.length > 0 && !context.diagnostics.hasAt("SPEC020", at(operation.kind === "rest" ? "rest" : "graphql")))
    context.diagnostics.error(
      at("params", first),
      "SPEC005",
      `${named(unpaged)} ${unpaged.length === 1 ? "is" : "are"} for pages, but the action has no \`page\``,
      `\`page\` says how the platform divides the list: ${operation.kind === "rest" ? "link, address, cursor, offset or number" : "connection"}`,
    );
  for (const name of unused)
    if (!unpaged.includes(name))
      context.diagnostics.error(at("params", name), "SPEC005", `parameter "${name}" is never used`, undefined, {
        unused: { kind: "parameter", name },
        ...(isList && forPages.includes(name) ? { partOf: at("page") } : {}),
      });
}

const named = (names: readonly string[]) =>
  `parameter${names.length === 1 ? "" : "s"} ${names.map((name) => `"${name}"`).join(" and ")}`;

/** @param needed parameters for pages that are missing. Reports them, and a size that may be larger than the platform's pages. */
function checkPageParams(
  page: PageSpec,
  needed: readonly string[],
  params: readonly ParamModel[],
  at: PositionOf,
  { diagnostics }: BuildContext,
): void {
  const names = params.map((one) => one.name);
  if (needed.length > 0)
    diagnostics.error(
      at("page"),
      "SPEC003",
      `paging needs the ${named(needed)}, which the action does not have`,
      needed.flatMap((name) => nearHint(name, names) ?? []).join(", ") || undefined,
      { lacks: needed.map((name) => ({ kind: "parameter", name })), unbound: at(), ofPage: { at: at("page") } },
    );
  const size = sizeParamOf(page);
  const cursor = params.find((one) => one.name === paging.cursorParam)?.type;
  if (cursor !== undefined && (cursor.name !== "string" || cursor.list || cursor.nullable))
    diagnostics.error(
      at("params", paging.cursorParam),
      "SPEC016",
      `"${paging.cursorParam}" is a cursor, which is a string`,
      undefined,
      { lacks: [paramType(paging.cursorParam)] },
    );
  const sized = params.find((one) => one.name === size);
  if (sized !== undefined && (sized.type.name !== "integer" || sized.type.list))
    diagnostics.error(at("params", size), "SPEC016", `"${size}" is how many records a page has, which is an integer`, undefined, {
      lacks: [paramType(size)],
    });
  const [least, largest] = sized?.range ?? [];
  if (least !== undefined && least < 1)
    diagnostics.error(at("params", size, "range"), "SPEC016", `"${size}" is how many records a page has, which is 1 at least`);
  if (page.max !== undefined && largest !== undefined && largest > page.max)
    diagnostics.error(
      at("page"),
      "SPEC016",
      `"${size}" may be ${largest}, but the platform gives at most ${page.max}`,
      undefined,
      { lacks: [{ kind: "value", name: size }] },
    );
}

/** Names the parameter that is spelled most like a missing one. */
function nearHint(name: string, names: readonly string[]): string | undefined {
  const near = nearest(name, names);
  return near === undefined ? undefined : `"${near}" is spelled almost like it`;
}

/** Reports keys of `page` that have no effect on this kind of page, and an `empty` that the selection does not have. */
function checkPage(page: PageSpec, operation: OperationModel, at: PositionOf, context: BuildContext): void {
  const wrong = (key: string, message: string, hint?: string, facts?: Facts) =>
    context.diagnostics.error(at("page", key), "SPEC016", message, hint, facts);
  const kindsOf: Readonly<Record<string, readonly string[]>> = {
    size: ["connection", "nested", "link", "address", "cursor", "offset", "number", "window"],
    empty: ["connection"],
    emptyWhen: ["single"],
    total: ["connection", "offset", "number"],
    cursor: ["connection"],
    max: ["connection", "link", "address", "cursor", "offset", "number"],
    outer: ["nested"],
    inner: ["nested"],
    param: ["cursor", "offset", "number", "window"],
    until: ["window"],
    hours: ["window"],
    as: ["window"],
    inclusive: ["window"],
    next: ["address", "cursor"],
    more: ["cursor", "offset", "number"],
    last: ["cursor", "offset", "number"],
    incomplete: ["single", "link", "address", "cursor", "offset", "number", "window"],
    pages: ["number"],
    end: ["offset", "number"],
    from: ["number"],
  };
  for (const [key, kinds] of Object.entries(kindsOf))
    if (Object.hasOwn(page, key) && !kinds.includes(page.by))
      wrong(key, `\`${key}\` has no effect on a page by "${page.by}"`, undefined, { ofPage: { at: at("page"), isSign: true } });
  if (page.empty !== undefined && operation.kind !== "rest" && !operation.path.includes(page.empty))
    wrong("empty", `"${page.empty}" is not a key on the way to the records`, suggestion(page.empty, operation.path));
}
