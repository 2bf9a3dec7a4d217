import { type Fault, maxFaults, pointer } from "./errors.ts";
import { nearest } from "./text.ts";

/** Keys from the root of a request to the member that a fault is about. */
export type FaultPath = readonly (string | number)[];

/**
 * Collects what is wrong with a request, so that all of it is told together. The one place where a fault gets its pointer, the
 * allowed values and the nearest spelling. Beyond {@link maxFaults} nothing is added.
 */
export class Faults {
  readonly #list: Fault[] = [];

  get list(): readonly Fault[] {
    return this.#list;
  }

  get any(): boolean {
    return this.#list.length > 0;
  }

  /** Whether no more faults are taken, so that looking for more is of no use. */
  get full(): boolean {
    return this.#list.length >= maxFaults;
  }

  add(at: FaultPath, code: string, message: string, allowed?: Fault["allowed"]): undefined {
    this.#push({ pointer: pointer(at), code, message, ...(allowed === undefined ? {} : { allowed }) });
  }

  /** A name that is not one of those allowed: the nearest of them is suggested. */
  unknown(at: FaultPath, code: string, message: string, name: string, allowed: readonly string[]): undefined {
    if (this.full) return;
    const suggestion = nearest(name, allowed);
    this.#push({ pointer: pointer(at), code, message, allowed, ...(suggestion === undefined ? {} : { suggestion }) });
  }

  /** Every name of an object that is not one of those allowed. @param message says so of one name */
  unknownNames(at: FaultPath, code: string, given: object, allowed: readonly string[], message: (name: string) => string): void {
    for (const name of Object.keys(given)) {
      if (this.full) return;
      if (!allowed.includes(name)) this.unknown([...at, name], code, message(name), name, allowed);
    }
  }

  /** A value that is not one of those allowed: the nearest text among them is suggested, such as `OPEN` for `open`. */
  notAllowed(at: FaultPath, message: string, value: unknown, allowed: NonNullable<Fault["allowed"]>): undefined {
    const texts = allowed.filter((one) => typeof one === "string");
    const suggestion = typeof value === "string" ? nearest(value, texts) : undefined;
    const hint = suggestion === undefined ? {} : { suggestion };
    this.#push({ pointer: pointer(at), code: "not_allowed", message, allowed, ...hint });
  }

  #push(fault: Fault): void {
    if (!this.full) this.#list.push(fault);
  }
}
