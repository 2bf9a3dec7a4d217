import { isObject } from "../base/is-object.ts";
import { type Operation, pathKeys, type SentParam, sentParam } from "../contract/index.ts";

type Params = Readonly<Record<string, unknown>>;

/**
 * The object in which parameters are sent: a body, or an input of a mutation. An absent parameter, null and `[]` have three different
 * meanings, so an absent one is left out and the others are sent as they are.
 *
 * @param at path of keys below which the parameters stand
 * @param fixed what is sent beside them, by paths of keys
 */
export function sentObject(sent: readonly SentParam[], params: Params, at = "", fixed: Params = {}): Record<string, unknown> {
  const root = members();
  // The place exists also when no parameter was sent.
  const start = pathKeys(at);
  if (start.length > 0) place(root, start, undefined);
  for (const one of sent) {
    const value = sentValue(one, params);
    if (value !== undefined) place(root, [...start, ...pathKeys(sentParam(one).name)], value);
  }
  for (const [path, value] of Object.entries(fixed)) place(root, [...start, ...pathKeys(path)], value);
  return root;
}

/** The value of a parameter: its members under the platform's names, or the document that is sent for a text. */
function sentValue(sent: SentParam, params: Params): unknown {
  const { param, members, as } = sentParam(sent);
  const value = params[param];
  if (as !== undefined && typeof value === "string") return documentOf(as, { text: value, html: htmlOf(value) });
  if (members === undefined) return value;
  const renamed = (one: unknown) => (isObject(one) ? sentObject(members, one) : one);
  return Array.isArray(value) ? value.map(renamed) : renamed(value);
}

/** A text as HTML: nothing in it is a tag, and its lines are lines. */
function htmlOf(text: string): string {
  const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (mark) => marks[mark] ?? mark).replace(/\r?\n/g, "<br>");
}

/** A template of a document with a text in it. `{text}` and `{line}` are replaced once: a text may have such a place itself. */
function documentOf(template: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof template === "string")
    return template.replace(/\{(text|line|html)\}/g, (place, name: string) => values[name] ?? place);
  if (Array.isArray(template))
    return template.flatMap((one) => {
      if (values["line"] !== undefined || !JSON.stringify(one).includes("{line}")) return [documentOf(one, values)];
      const lines = (values["text"] ?? "").split(/\r?\n/).filter((line) => line.trim() !== "");
      return lines.map((line) => documentOf(one, { ...values, line }));
    });
  return isObject(template)
    ? Object.fromEntries(Object.entries(template).map(([key, one]) => [key, documentOf(one, values)]))
    : template;
}

/** An object without a prototype, so that every name of a spec is a member like any other. */
function members(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

/** Sets a value at a path and makes the objects and lists on the way. Without a value an empty object is made at its end. */
function place(root: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  let here: Record<string, unknown> | unknown[] = root;
  for (const [index, key] of keys.entries()) {
    const last = index === keys.length - 1;
    const at = Array.isArray(here) ? Number(key) : key;
    const holder = here as Record<string | number, unknown>;
    if (last && value !== undefined) holder[at] = value;
    else if (!isObject(holder[at]) && !Array.isArray(holder[at]))
      holder[at] = /^\d+$/.test(keys[index + 1] ?? "") ? [] : members();
    here = holder[at] as Record<string, unknown> | unknown[];
  }
}

/** Parameters of a query, lists and objects in the form that the platform wants. Absent ones and null are left out; nothing is empty. */
export function sentQuery(sent: readonly SentParam[], params: Params): URLSearchParams {
  const query = new URLSearchParams();
  for (const one of sent) {
    const { name, join } = sentParam(one);
    const value = sentValue(one, params);
    if (value !== undefined && value !== null) append(query, name, value, join ?? "repeat");
  }
  return query;
}

/**
 * A body as a form.
 *
 * @param sent its parameters, of which some say how they stand in it; the others have `a[b]` and `a[0]`, as most platforms read them
 */
export function formOf(body: Params, sent: readonly SentParam[] = []): string {
  const form = new URLSearchParams();
  const joins = new Map(sent.map(sentParam).map(({ name, join }) => [name, join]));
  for (const [name, value] of Object.entries(body)) append(form, name, value, joins.get(name) ?? "brackets");
  return form.toString();
}

/** Adds a value to a query or a form. @param join how lists and objects stand there, as a `SentParam` has it */
function append(form: URLSearchParams, name: string, value: unknown, join: string): void {
  // An empty text is how a form takes a value away.
  if (typeof value !== "object" || value === null) form.append(name, value === null ? "" : String(value));
  else if (join === "json") form.append(name, JSON.stringify(value));
  else if (join === "brackets") for (const [key, one] of Object.entries(value)) append(form, `${name}[${key}]`, one, join);
  else if (join !== "repeat") form.append(name, (Array.isArray(value) ? value : Object.entries(value).flat()).join(join));
  else for (const [key, one] of Object.entries(value)) append(form, Array.isArray(value) ? name : key, one, ",");
}

/** Headers of one call that are parameters. A line break cannot come through: `fetch` refuses it, so it is taken out. */
export function sentHeaders(sent: readonly SentParam[], params: Params): Record<string, string> {
  return Object.fromEntries(
    sent.flatMap((one) => {
      const { param, name } = sentParam(one);
      const value = params[param];
      return value === undefined || value === null
        ? []
        : [
            [
              name,
              String(value)
                .replace(/[^\x20-\x7e\x80-\xff]+/g, " ")
                .trim(),
            ],
          ];
    }),
  );
}

/**
 * The parameter that the platform calls by this name, or by the last key of this path; or else the one that is sent inside an object of
 * this name. Undefined where there is none.
 */
export function paramSentAs(operation: Operation, name: string): string | undefined {
  const own = [...sentParamsOf(operation)].map(sentParam).find((one) => one.name === name);
  // The name of a query parameter may look like a path: `page[size]`.
  if (own !== undefined) return own.param;
  const wanted = pathKeys(name).at(-1);
  const inPath = operation.kind === "rest" ? [...operation.path.matchAll(/\{([\w-]+)\}/g)].map(([, param = ""]) => param) : [];
  const sent = [...sentParamsOf(operation), ...inPath].map(sentParam);
  const found = (place: -1 | 0) => sent.find((one) => pathKeys(one.name).at(place) === wanted)?.param;
  return found(-1) ?? found(0);
}

/** The parameters in which an action sends what it changes: in a body, or in the input of a mutation. */
export function sentParamsOf(operation: Operation): readonly SentParam[] {
  if (operation.kind === "rest") return [...operation.body, ...operation.query, ...(operation.headers ?? [])];
  return [
    ...Object.values(operation.computed ?? {}).flatMap((plan) => ("input" in plan ? plan.input : [])),
    ...operation.variables,
  ];
}
