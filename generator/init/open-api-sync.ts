import { type Draft, exampleOf, keyOfFields, singular, snake, todo } from "./draft.ts";
import { allowedName } from "./open-api-names.ts";
import { memberOfPlace, placeName, placesOf } from "./open-api-places.ts";
import type { Resource } from "./open-api-resources.ts";

/** A list with the params that every call of it needs. */
interface Need {
  readonly resource: Resource;
  readonly entity: Draft;
  readonly needs: readonly string[];
}

/**
 * Adds to each entity how it is synced. A list that needs one record of another entity is read for each of these; any other is read for a
 * scope that has what it needs.
 *
 * @returns the scopes
 */
export function addSyncs(found: readonly Resource[], entities: ReadonlyMap<string, Draft>, params: Draft): Draft {
  const all = found.flatMap((resource): Need[] => {
    const entity = entities.get(resource.name);
    return resource.isList && entity !== undefined ? [{ resource, entity, needs: needsOf(entity, params) }] : [];
  });
  const scopes: Draft = {};
  // A record whose own lists need it and another record is named by a scope.
  const isNamed = (need: string | undefined) => all.some((one) => need !== undefined && names(need, one.resource));
  const named = new Set(all.filter(({ needs }) => needs.length > 1 && isNamed(needs.at(-1))).map(({ needs }) => needs[0]));
  const scopeOf = (needs: readonly string[]) => {
    const name = needs.length === 0 ? "account" : allowedName(snake(needs.at(-1) ?? ""));
    if (!Object.hasOwn(scopes, name))
      scopes[name] = {
        params: [...needs],
        doc: needs.length === 0 ? "Everything that the credential sees." : todo,
        ...(needs.length === 0 ? {} : { example: needs.map((need) => exampleNamed(need)).join("/") }),
      };
    return name;
  };
  const exampleNamed = (need: string) => {
    const whole = all.map(({ entity }) => wholeParams(entity, params)[need]).find((one) => one !== undefined);
    return String(whole === undefined ? "example" : exampleOf(whole, {}));
  };
  for (const { resource, entity, needs } of all) {
    const last = needs.at(-1);
    const outer = needs.slice(0, -1);
    const parent = all.find(
      (one) => one.entity !== entity && last !== undefined && names(last, one.resource) && one.needs.join() === outer.join(),
    );
    if (parent === undefined || last === undefined || (outer.length === 0 && named.has(last))) {
      entity["sync"] = [{ scope: scopeOf(needs) }];
      continue;
    }
    const place = placesOf(resource.path).find((one) => placeName(resource.path, one) === last) ?? "";
    const fields = (parent.entity["fields"] ?? {}) as Draft;
    const key = memberOfPlace(place, Object.keys(fields), keyOfFields(fields) ?? "id");
    entity["sync"] = [
      { scope: scopeOf(parent.needs.length === 0 ? [] : outer), each: { entity: parent.resource.name, params: { [last]: key } } },
    ];
  }
  return scopes;
}

/** Whether a param names a record of a list: `order` and `orderId` one of `orders`. */
const names = (param: string, { name }: Resource) => [singular(name), `${singular(name)}_id`].includes(snake(param));

/** The required params of the list of an entity, in the order of its call. Shared ones have their entry in the connector. */
function needsOf(entity: Draft, shared: Draft): string[] {
  return Object.entries(wholeParams(entity, shared)).flatMap(([name, { required }]) => (required === true ? [name] : []));
}

/** The params of the list of an entity, with what they take from shared ones. */
function wholeParams(entity: Draft, shared: Draft): Readonly<Record<string, Draft>> {
  const { list } = entity["actions"] as { readonly list?: { readonly params: Draft } };
  return Object.fromEntries(
    Object.entries(list?.params ?? {}).map(([name, entry]) => [
      name,
      { ...((shared[name] ?? {}) as Draft), ...((entry ?? {}) as Draft) },
    ]),
  );
}
