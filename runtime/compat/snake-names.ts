import { isObject } from "../base/is-object.ts";
import { snakeCase } from "../base/text.ts";

/** Writes the names of all members in snake_case, at every depth. Each name is worked out once. */
export class SnakeNames {
  readonly #known = new Map<string, string>();

  of(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.of(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [this.#name(name), this.of(inner)]));
  }

  #name(name: string): string {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const made = snakeCase(name);
    this.#known.set(name, made);
    return made;
  }
}
