import { withoutMark } from "../../runtime/base/byte-order-mark.ts";
import { editDistance } from "../../runtime/base/edit-distance.ts";
import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { templatePaths, valuesAt, type WebhookEvent, type WebhookScopes } from "../../runtime/contract/index.ts";
import type { DiagnosticCode, Diagnostics, Facts } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { WebhooksSpec } from "../load/spec.ts";

/** Reports a fault of `webhooks`, or of a part of it, at a path of keys. */
export type Report = (path: readonly string[], code: DiagnosticCode, message: string, hint?: string, facts?: Facts) => void;

/** Bodies of deliveries by event. */
export type WebhookExamples = ReadonlyMap<string, readonly unknown[]>;

/** Examples by reference, so that a watcher reads each file once. */
const known = new Map<string, { readonly text: string; readonly examples: WebhookExamples }>();

/**
 * Reads the examples that `webhooks` names: a JSON list of objects with `name` and `examples`.
 *
 * @param read gives the text of a file that the spec refers to; undefined where there is none
 */
export function webhookExamples(
  { spec, source }: LoadedConnector,
  read: (reference: string) => string | undefined,
  diagnostics: Diagnostics,
): WebhookExamples | undefined {
  const reference = spec.webhooks?.examples;
  if (reference === undefined) return undefined;
  const text = read(reference) ?? "";
  const same = known.get(reference);
  if (same?.text === text) return same.examples;
  try {
    const groups = JSON.parse(withoutMark(text)) as readonly { readonly name: string; readonly examples: readonly unknown[] }[];
    const examples: WebhookExamples = new Map(groups.map((group) => [group.name, [...group.examples]]));
    known.set(reference, { text, examples });
    return examples;
  } catch {
    const form = "it is a JSON list of objects with `name` and `examples`";
    diagnostics.error(source.at(["webhooks", "examples"]), "SPEC017", `cannot read "${reference}"`, form);
    return undefined;
  }
}

/**
 * Checks the events and paths of `webhooks` against the examples of deliveries.
 *
 * @param fills the scopes whose syncs read an entity
 */
export function checkExamples(
  spec: WebhooksSpec,
  examples: WebhookExamples,
  fills: (entity: string) => readonly string[],
  error: Report,
): void {
  const scopes = checkDeliveries(spec, examples, error) ? spec.scopes : {};
  for (const [name, event] of Object.entries(spec.events)) {
    const bodies = examples.get(name);
    if (bodies === undefined)
      error(["events", name], "SPEC007", `no example has the event "${name}"`, suggestion(name, [...examples.keys()]));
    else {
      const wrong: Report = (path, ...rest) => error(["events", name, ...path], ...rest);
      checkEvent(name, event, bodies, wrong);
      checkActions(event, bodies, spec.action, wrong);
      if (event.scopes === undefined) checkScopes(name, event, scopes, bodies, fills, wrong);
    }
  }
}

/** Checks that some example names a scope of which something is read after the event. */
function checkScopes(
  name: string,
  { reads = {} }: WebhookEvent,
  scopes: WebhookScopes,
  bodies: readonly unknown[],
  fills: (entity: string) => readonly string[],
  error: Report,
): void {
  const isNamed = (template: string) => {
    const paths = templatePaths(template);
    return paths.length === 0 || bodies.some((body) => paths.every((path) => valuesAt(body, path).length > 0));
  };
  const templates = Object.keys(reads).flatMap((entity) => fills(entity).flatMap((kind) => scopes[kind] ?? []));
  if (templates.length > 0 && !templates.some(isNamed))
    error(
      ["reads"],
      "SPEC007",
      `no example of "${name}" has a value at ${orList([...new Set(templates.flatMap(templatePaths))])}, which names the scope`,
      "`scopes` of the event says where else its scope is named",
    );
}

/** Checks the paths that are the same for every event: some example has to have each of them. @returns whether the scopes have theirs */
function checkDeliveries(
  { event, delivery, action, timestamp, signature, scopes, events }: WebhooksSpec,
  examples: WebhookExamples,
  error: Report,
): boolean {
  const all = [...examples.values()].flat();
  const ways: readonly (readonly [at: readonly string[], path: string | undefined])[] = [
    [["delivery", "path"], delivery?.path],
    [["action"], action],
    [["timestamp", "path"], timestamp?.path],
    [["signature", "passcode"], signature.passcode],
  ];
  const isNamed = (path: string) =>
    [...examples].some(([name, some]) => some.some((body) => valuesAt(body, path).includes(name)));
  if (event.path !== undefined && !isNamed(event.path))
    error(
      ["event", "path"],
      "SPEC007",
      `no example of a delivery has its event at "${event.path}"`,
      suggestion(event.path, keysAround(all, event.path)),
    );
  for (const [at, path] of ways) {
    if (path === undefined || all.some((body) => valuesAt(body, path).length > 0)) continue;
    error(at, "SPEC007", `no example of a delivery has a value at "${path}"`, suggestion(path, keysAround(all, path)));
  }
  const bodies = [...examples].flatMap(([name, some]) => (events[name]?.scopes === undefined ? some : []));
  const unnamed = scopePaths(scopes).filter(
    ([, paths]) => !bodies.some((body) => paths.some((path) => valuesAt(body, path).length > 0)),
  );
  for (const [at, paths] of unnamed) error(at, "SPEC007", `no example of a delivery has a value at ${orList(paths)}`);
  return unnamed.length === 0;
}

function checkEvent(name: string, event: WebhookEvent, bodies: readonly unknown[], error: Report): void {
  for (const [at, paths] of waysOf(event))
    if (!bodies.some((body) => paths.some((path) => valuesAt(body, path).length > 0)))
      error(at, "SPEC007", `no example of "${name}" has a value at ${orList(paths)}`);
  for (const [entity, read] of Object.entries(event.reads ?? {}))
    for (const key of ["when", "unless"] as const) {
      const path = read[key];
      if (path === undefined || bodies.some((body) => valuesAt(body, path).length > 0)) continue;
      // Few deliveries have the member, so perhaps no example has it, but what it is in is there, and no other member is spelled alike.
      const around = keysAround(bodies, path);
      if (around.length === 0 || nearest(path, around) !== undefined)
        error(["reads", entity, key], "SPEC007", `no example of "${name}" has a value at "${path}"`, suggestion(path, around));
    }
}

/** Reports names of actions that are almost one of the examples. They do not have every action, so others may be right. */
function checkActions(event: WebhookEvent, bodies: readonly unknown[], path: string | undefined, error: Report): void {
  const known = path === undefined ? [] : bodies.flatMap((body) => valuesAt(body, path)).map(String);
  const lists = [
    [["resync"], event.resync ?? []] as const,
    ...Object.entries(event.reads ?? {}).map(([entity, { deleted = [] }]) => [["reads", entity, "deleted"], deleted] as const),
  ];
  for (const [at, actions] of lists)
    for (const [index, action] of actions.entries()) {
      const near = known.includes(action) ? undefined : known.find((one) => editDistance(one, action) === 1);
      if (near !== undefined)
        error([...at, String(index)], "SPEC007", `no example has the action "${action}"`, `did you mean "${near}"?`);
    }
}

/** The paths that the bodies have beside a path. */
function keysAround(bodies: readonly unknown[], path: string): string[] {
  const parent = path.replace(/(^|\.)[^.]*$/, "");
  const keys = bodies.flatMap((body) =>
    (parent === "" ? [body] : valuesAt(body, parent)).flatMap((one) => Object.keys(Object(one))),
  );
  return [...new Set(keys)].map((key) => (parent === "" ? key : `${parent}.${key}`));
}

function scopePaths(scopes: WebhookScopes): (readonly [at: readonly string[], paths: readonly string[]])[] {
  return Object.entries(scopes).flatMap(([kind, given]) => {
    const paths = [given].flat().flatMap(templatePaths);
    return paths.length === 0 ? [] : [[["scopes", kind], paths] as const];
  });
}

/** Ways to find each value of an event, with the place of the value in the spec: one of the ways has to lead to something. */
function* waysOf({
  scopes = {},
  reads = {},
}: WebhookEvent): Generator<readonly [at: readonly string[], paths: readonly string[]]> {
  yield* scopePaths(scopes);
  for (const [entity, { key, parent, params = {} }] of Object.entries(reads)) {
    if (key !== undefined) yield [["reads", entity, "key"], [key]];
    if (parent !== undefined) yield [["reads", entity, "parent"], [parent]];
    for (const [name, path] of Object.entries(params)) yield [["reads", entity, "params", name], [path]];
  }
}

const orList = (paths: readonly string[]) => paths.map((path) => `"${path}"`).join(" or ");
