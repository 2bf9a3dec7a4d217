import type { Grant } from "../accounts/index.ts";
import { BoundedMap } from "../base/bounded-map.ts";
import type { Connector } from "../contract/index.ts";

/** Choices of entities, each of one connector, that are remembered. */
const mostChoices = 200;

/** What depends only on a connector and on the entities that a grant allows. It is made once for each choice of entities. */
export class ByGrant<Value> {
  readonly #made = new BoundedMap<string, Value>(mostChoices);

  take({ name }: Connector, { entities }: Grant, make: () => Value): Value {
    const key = JSON.stringify([name, entities]);
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#made.set(key, made);
    return made;
  }
}
