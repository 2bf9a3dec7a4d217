import type { Hint } from "../accounts/index.ts";
import { type Connector, templatePaths, valuesAt, type WebhookRead, type WebhookScopes } from "../contract/index.ts";

/** The most hints of one delivery: a payload with more is followed by syncing its scopes as a whole. */
const mostOfDelivery = 1_000;
/** Characters of a scope or a key that a payload may name. */
const longest = 400;

type NewHint = Omit<Hint, "instance">;

/** What a delivery says of the cache. */
export interface DeliveryContent {
  /** Whether the spec names its event. */
  readonly isKnown: boolean;
  readonly hints: readonly NewHint[];
}

/**
 * What to read after a delivery. The payload only names it: nothing of it is stored.
 *
 * @param event name of the event; undefined where the delivery has none
 */
export function readDelivery(connector: Connector, event: string | undefined, payload: unknown): DeliveryContent {
  const plan = connector.webhooks;
  const known = plan !== undefined && event !== undefined && Object.hasOwn(plan.events, event) ? plan.events[event] : undefined;
  if (plan === undefined || known === undefined) return { isKnown: false, hints: [] };
  const action = plan.action === undefined ? undefined : textsAt(payload, plan.action)[0];
  const scopes = scopesOf(known.scopes ?? plan.scopes, payload);
  if (known.resync?.some((one) => one === "*" || one === action)) return { isKnown: true, hints: wholes(connector, scopes) };
  const hints = Object.entries(known.reads ?? {}).flatMap(([entity, read]) =>
    scopes
      .filter(({ kind }) => connector.entities[entity]?.sync.some((one) => one.scope === kind))
      .flatMap(({ name }) => hintsOf(read, { scope: name, entity }, action, payload)),
  );
  return { isKnown: true, hints: hints.length > mostOfDelivery ? wholes(connector, scopes) : hints };
}

interface NamedScope {
  readonly kind: string;
  /** Kind and value; `kind=*` for all that are cached. */
  readonly name: string;
}

/** Everything of the scopes that the event is about: those of the kind that names a part of the platform most closely. */
function wholes(connector: Connector, scopes: readonly NamedScope[]): NewHint[] {
  const parts = (kind: string) => connector.scopes[kind]?.params.length ?? 0;
  const most = Math.max(...scopes.map(({ kind }) => parts(kind)));
  return scopes
    .filter(({ kind }) => parts(kind) === most)
    .map(({ name }) => ({ scope: name, entity: "", kind: "scope", key: "", params: "{}" }));
}

function hintsOf(
  read: WebhookRead,
  place: Pick<NewHint, "scope" | "entity">,
  action: string | undefined,
  payload: unknown,
): NewHint[] {
  const { key, params = {}, parent, deleted = [], when, unless } = read;
  if (when !== undefined && valuesAt(payload, when).length === 0) return [];
  if (unless !== undefined && valuesAt(payload, unless).length > 0) return [];
  if (parent !== undefined) return textsAt(payload, parent).map((one) => ({ ...place, kind: "parent", key: one, params: "{}" }));
  if (key === undefined) {
    const kind = action !== undefined && deleted.includes(action) ? "full" : "list";
    return [{ ...place, kind, key: "", params: "{}" }];
  }
  const values = Object.entries(params).map(([name, path]) => [name, valuesAt(payload, path)[0]] as const);
  const fits = values.every(([, value]) => typeof value === "number" || (typeof value === "string" && value.length <= longest));
  return fits
    ? textsAt(payload, key).map((one) => ({
        ...place,
        kind: "key",
        key: one,
        params: JSON.stringify(Object.fromEntries(values)),
      }))
    : [];
}

/** The scopes that a payload names, each once. */
function scopesOf(templates: WebhookScopes, payload: unknown): NamedScope[] {
  const all = Object.entries(templates).flatMap(([kind, given]) =>
    [given].flat().flatMap((template) => {
      if (template === "") return [{ kind, name: kind }];
      return filled(template, payload).map((value) => ({ kind, name: `${kind}=${value}` }));
    }),
  );
  return [...new Map(all.map((one) => [one.name, one])).values()];
}

/** The texts that a template stands for: one for each value of a path with `[]`; none where a path has no value. */
function filled(template: string, payload: unknown): string[] {
  return templatePaths(template).reduce<string[]>(
    (texts, path) => texts.flatMap((text) => textsAt(payload, path).map((value) => text.replace(`{${path}}`, () => value))),
    [template],
  );
}

/** The short texts and numbers at a path. */
function textsAt(payload: unknown, path: string): string[] {
  return valuesAt(payload, path).flatMap((value) => {
    if (typeof value === "number") return [String(value)];
    return typeof value === "string" && value !== "" && value.length <= longest && value.isWellFormed() ? [value] : [];
  });
}
