import { type ErrorRule, parseErrorKey } from "../contract/index.ts";

/** What is known of an error when its rule is looked for. */
export interface KnownError {
  readonly status?: number;
  /** Its own code, type or name: several texts, of which each may have a rule. */
  readonly names: readonly string[];
  readonly message: string;
}

interface Rule {
  readonly rule: ErrorRule;
  readonly fits: (error: KnownError) => boolean;
}

/**
 * Finds the most specific rule of an error. A pattern of the message is more specific than a code, a code than a status, two of them than
 * one.
 */
export class ErrorRules {
  readonly #rules: readonly Rule[];

  /** @param rules by their keys, as `ErrorRule` explains them; the generator has checked them */
  constructor(rules: Readonly<Record<string, ErrorRule>>) {
    const parsed = Object.entries(rules).map(([key, rule]) => ({ rule, ...parseErrorKey(key) }));
    const rank = ({ status, name, pattern }: (typeof parsed)[number]) =>
      (status === undefined ? 0 : 1) + (name === undefined ? 0 : 2) + (pattern === undefined ? 0 : 4);
    this.#rules = parsed
      .sort((a, b) => rank(b) - rank(a))
      .map(({ rule, status, name, pattern }) => {
        const expression = pattern === undefined ? undefined : new RegExp(pattern, "i");
        return {
          rule,
          fits: (error) =>
            (status === undefined || error.status === status) &&
            (name === undefined || error.names.includes(name)) &&
            (expression === undefined || expression.test(error.message)),
        };
      });
  }

  find(error: KnownError): ErrorRule | undefined {
    return this.#rules.find(({ fits }) => fits(error))?.rule;
  }
}
