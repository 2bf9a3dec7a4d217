import { snakeCase } from "../../runtime/base/text.ts";
import { actionTraits } from "../../runtime/contract/index.ts";

// Names in generated code and of generated files, which are made from names of a spec, and the names that a spec cannot use.

/** Names that GraphQL variables may not have: @octokit/graphql takes them as options of the request, not as variables. */
export const reservedVariables: readonly string[] = [
  "method",
  "baseUrl",
  "url",
  "headers",
  "request",
  "query",
  "mediaType",
  "operationName",
];

/** Names that no entity, action, param or field may have, because JavaScript objects come with them. */
export const reservedNames: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
];

/** `pr_comments` → `PrComments`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Name of the interface with the parameters of an action: `issues` and `api_search` → `IssuesApiSearchParams`. */
export function paramsTypeName(entity: string, action: string): string {
  return `${pascal(entity)}${pascal(action)}Params`;
}

/**
 * Name of the constant with an action: `api_search` → `apiSearch`. An action of the spec's own gets a word more, because its name may be a
 * word of the language: `delete` → `deleteAction`.
 */
export function actionConstant(action: string): string {
  const camel = action.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(actionTraits, action) || action === "sync" ? camel : `${camel}Action`;
}

/** Name of the constant with a connector: `my-library` → `myLibrary`. */
export function connectorConstant(connector: string): string {
  return usable(connector.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()));
}

/**
 * Name of the constant with an entity, where another module imports it: `pr_comments` → `prComments`. A name that such a module
 * needs for something else gets an underscore: `list` → `list_`.
 */
export function entityConstant(entity: string): string {
  const name = pascal(entity);
  const constant = usable(`${name.charAt(0).toLowerCase()}${name.slice(1)}`);
  return constantsOfModules.has(constant) || /(Action|Batch|Params|Plan|Store)$/.test(constant) ? `${constant}_` : constant;
}

/** A word of the language cannot be the name of a constant. `connectors` is the list of all of them, `facts` what is known of each. */
function usable(name: string): string {
  return words.has(name) || name === "connectors" || name === "facts" ? `${name}_` : name;
}

/** Constants that the module of an entity has besides those that end in `Params`, `Plan` and `Store`, and that of the client. */
const constantsOfModules: ReadonlySet<string> = new Set([
  "actionTraits",
  "entity",
  "get",
  "list",
  "apiSearch",
  "create",
  "update",
  "sync",
  "codePointLength",
  "connectorClass",
]);

const words: ReadonlySet<string> = new Set(
  (
    "arguments async await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public return " +
    "static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Types that generated modules use, so that no enum and no type of a spec can have these names. A test compares them with the modules. */
const typesOfModules: ReadonlySet<string> = new Set([
  "Action",
  "Answer",
  "Connector",
  "Entity",
  "FieldPath",
  "Page",
  "Readonly",
  "Record",
  "RecordPlan",
  "Single",
  "SyncBatch",
  "Validator",
]);

/** Says why a spec cannot have an enum or a type of this name; undefined when it can. */
export function typeNameProblem(name: string): string | undefined {
  return typesOfModules.has(name) ? `"${name}" is a name that generated modules use themselves` : undefined;
}

/** Modules of a connector that are not those of its entities. */
const modules = ["client", "facts", "hosted", "index", "shared"];

/** Methods of a connector's client beside those of its entities. */
const methods = ["execute"];

/** Names that Windows keeps for devices, whatever the ending of the file. */
const devices = /^(aux|con|nul|prn|com\d|lpt\d)$/;

/** Says why a spec cannot have an entity of this name; undefined when it can. */
export function entityNameProblem(name: string, connector: string): string | undefined {
  if (reservedNames.includes(name)) return `"${name}" cannot be the name of an entity, because every JavaScript object has it`;
  if (modules.includes(name)) return `"${name}" cannot be the name of an entity, because generated files have this name`;
  if (methods.includes(name))
    return `"${name}" cannot be the name of an entity, because clients of the connector have a method of this name`;
  if (devices.test(name)) return `"${name}" cannot be the name of an entity, because it cannot be the name of a file on Windows`;
  if (entityConstant(name) === connectorConstant(connector)) return `entity "${name}" has the name of its connector`;
  return undefined;
}

/** Fields that a request or the store cannot tell apart: they differ only in case, or in how words are joined. */
export function sameField(a: string, b: string): boolean {
  const others = fieldSpellings(b);
  return fieldSpellings(a).some((one) => others.includes(one));
}

/** Texts of which two fields have one in common if they are the same field. */
export const fieldSpellings = (name: string): readonly string[] => [
  `any case: ${name.toLowerCase()}`,
  `words: ${snakeCase(name)}`,
];
