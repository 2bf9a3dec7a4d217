import { answered, type BoundStatement, outOfRange, statementFault } from "../statement/index.ts";
import { largestAnswer } from "./answer.ts";
import type { StatementAnswer } from "./statement-store.ts";

const encoder = new TextEncoder();

/** Makes the rows of an answer one by one, until there are enough. */
export class StatementRows {
  readonly #parts: string[] = [];
  readonly #names: readonly string[];
  readonly #types: BoundStatement["query"]["types"];
  readonly #limit: number;
  readonly #list: (given: unknown) => readonly unknown[];
  #size = 2;
  #more = false;

  /** @param list the elements of a list, from what the engine gives for one */
  constructor({ names, query }: BoundStatement, limit: number, list: (given: unknown) => readonly unknown[]) {
    this.#names = names.map((name) => JSON.stringify(name));
    this.#types = query.types;
    this.#limit = limit;
    this.#list = list;
  }

  /** @param values in the order of the columns @returns false when no more rows are wanted */
  add(values: readonly unknown[]): boolean {
    const members = this.#names.map((name, index) => {
      const value = answered(this.#types[index] ?? "text", values[index] ?? null, this.#list);
      return `${name}:${JSON.stringify(value)}`;
    });
    const row = `{${members.join()}}`;
    const bytes = Buffer.byteLength(row) + 1;
    if (bytes > largestAnswer) throw statementFault(outOfRange.row);
    this.#more = this.#parts.length >= this.#limit || this.#size + bytes > largestAnswer;
    if (this.#more) return false;
    this.#parts.push(row);
    this.#size += bytes;
    return true;
  }

  get answer(): Pick<StatementAnswer, "json" | "more" | "count"> {
    return { json: encoder.encode(`[${this.#parts.join()}]`), more: this.#more, count: this.#parts.length };
  }
}
