import { type Fault, maxFaults, pointer } from "./errors.ts";
import { nearest } from "./text.ts";

/** Keys from the root of a request to the member that a fault is about. */
export type FaultPath = readonly (string | number)[];

/**
 * Collects the faults of a request, so that all are reported together. Only this class gives a fault its pointer, its allowed values
 * and the nearest spelling. It keeps at most {@link maxFaults} faults and ignores further ones.
 */
export class Faults {
  readonly #list: Fault[] = [];

  get list(): readonly Fault[] {
    return this.#list;
  }

  get any(): boolean {
    return this.#list.length > 0;
  }

  /** Whether the list is full, so that looking for more faults is useless. */
  get full(): boolean {
    return this.#list.length >= maxFaults;
  }

  add(at: FaultPath, code: string, message: string, allowed?: Fault["allowed"]): undefined {
    this.#push({ pointer: pointer(at), code, message, ...(allowed === undefined ? {} : { allowed }) });
  }

  /** Adds a fault for a value of another form than the right one. @param meant the right value, where it is known */
  form(at: FaultPath, message: string, meant: string | number | undefined): undefined {
    this.#push({ pointer: pointer(at), code: "wrong_type", message, ...(meant === undefined ? {} : { suggestion: meant }) });
  }

  /**
   * Adds a fault for a name that is not allowed, and suggests the nearest allowed name.
   *
   * @param meant what is meant, where it is known: the suggestion replaces the whole value, in which the name may be only a part
   */
  unknown(at: FaultPath, code: string, message: string, name: string, allowed: readonly string[], meant?: string): undefined {
    if (this.full) return;
    const suggestion = meant ?? nearest(name, allowed);
    this.#push({ pointer: pointer(at), code, message, allowed, ...(suggestion === undefined ? {} : { suggestion }) });
  }

  /**
   * Adds a fault for every name of an object that is not allowed.
   *
   * @param message makes the message for one of these names
   * @param known names that are not allowed either, whose faults are added elsewhere
   */
  unknownNames(
    at: FaultPath,
    code: string,
    given: object,
    allowed: readonly string[],
    message: (name: string) => string,
    known: readonly string[] = [],
  ): void {
    for (const name of Object.keys(given)) {
      if (this.full) return;
      if (!allowed.includes(name) && !known.includes(name)) this.unknown([...at, name], code, message(name), name, allowed);
    }
  }

  /** Adds a fault for a value that is not allowed, and suggests the nearest allowed text, such as `open` for `OPEN`. */
  notAllowed(at: FaultPath, message: string, value: unknown, allowed: NonNullable<Fault["allowed"]>): undefined {
    const texts = allowed.filter((one) => typeof one === "string");
    const suggestion = typeof value === "string" ? nearest(value, texts) : undefined;
    const hint = suggestion === undefined ? {} : { suggestion };
    this.#push({ pointer: pointer(at), code: "not_allowed", message, allowed, ...hint });
  }

  /** Reads one thing after the other, until the list is full. @returns what was read */
  each<Item, Read>(items: readonly Item[], read: (item: Item, index: number) => readonly Read[]): Read[] {
    const found: Read[] = [];
    for (const [index, item] of items.entries()) {
      if (this.full) break;
      found.push(...read(item, index));
    }
    return found;
  }

  #push(fault: Fault): void {
    if (!this.full) this.#list.push(fault);
  }
}
