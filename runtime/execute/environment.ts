import { doubtAdvice, TenonError } from "../base/errors.ts";
import { type ActionTraits, isHarmless, type Warning, warning } from "../contract/index.ts";
import type { CallContext, Effect, GraphqlAnswer } from "../platform/call.ts";
import type { ConnectorInstance } from "./instance.ts";
import type { ReadState } from "./record-reader.ts";
import type { PlatformRequest } from "./request.ts";
import type { ExecuteContext } from "./result.ts";

/** One running action: the instance on which it runs, its request, its deadline, and its warnings so far. */
export interface Environment {
  readonly instance: ConnectorInstance;
  readonly call: CallContext & Pick<ExecuteContext, "onCut" | "onMisfit" | "withTotal">;
  readonly request: PlatformRequest;
  readonly warnings: Warnings;
}

/** Collects the warnings of one answer, up to a bound. While there is room for any, those are kept that a sync must know of. */
export class Warnings {
  static readonly most = 50;
  readonly #list: Warning[] = [];
  #more = 0;
  /** How often a field had a value of an unexpected type, by its path without numbers. */
  readonly #fields = new Map<string, { readonly first: Warning; count: number }>();

  /** Fields that had no value although they always have one. */
  readonly #absent = new Set<string>();

  /** How many elements of a list are missing, by the warning that says so. */
  readonly #missing = new Map<Warning, number>();

  /** Adds a warning that elements of a list are missing. It is not given when the platform's errors name each of them. */
  addMissing(warning: Warning, elements: number): void {
    if (this.#missing.size < Warnings.most) this.#missing.set(warning, elements);
    this.add(warning);
  }

  /** Whether other warnings name all elements that a warning says are missing. */
  #isExplained(warning: Warning): boolean {
    const missing = this.#missing.get(warning);
    const isElement = ({ path }: Warning) =>
      path.startsWith(`${warning.path}.`) && /^\d+$/.test(path.slice(warning.path.length + 1));
    return missing !== undefined && this.#list.filter(isElement).length >= missing;
  }

  add(warning: Warning): void {
    if (warning.code === "unexpected_type" && this.#isKnownField(warning)) return;
    if (this.#list.length < Warnings.most) {
      this.#list.push(warning);
      return;
    }
    this.#more++;
    const harmless = isHarmless(warning) ? -1 : this.#list.findIndex(isHarmless);
    if (harmless >= 0) this.#list[harmless] = warning;
  }

  /** Adds a warning about the whole answer, unless a warning with the same code exists: several calls may report the same. */
  addOnce(warning: Warning): void {
    if (!this.#list.some((known) => known.code === warning.code)) this.add(warning);
  }

  /** Adds a field without a value to the one warning that names all of them. */
  addAbsent(title: string, field: string): void {
    if (this.#absent.has(field) || this.#absent.size >= Warnings.most) return;
    this.#absent.add(field);
    const message = `${title} sent nothing for ${[...this.#absent].join(", ")}, which the spec says is never null: the value is null.`;
    const given = warning("data", "field_removed", message);
    const known = this.#absent.size === 1 ? -1 : this.#list.findIndex(({ code }) => code === "field_removed");
    if (known >= 0) this.#list[known] = given;
    else this.add(given);
  }

  /** Whether a field of another record had the same warning. A field is wrong in all records, or in many, so it has one warning. */
  #isKnownField(first: Warning): boolean {
    const field = withoutNumbers(first.path);
    const known = this.#fields.get(field);
    if (known !== undefined) known.count++;
    else if (this.#fields.size < Warnings.most) this.#fields.set(field, { first, count: 1 });
    return known !== undefined;
  }

  /** A warning about a field with how often it was given. */
  #counted(warning: Warning): Warning {
    const known = [...this.#fields.values()].find(({ first }) => first === warning);
    if (known === undefined || known.count === 1) return warning;
    return { ...warning, message: `${warning.message} So it is ${known.count} times in this response.` };
  }

  /** The member `warnings` of `meta`; absent when there are none. */
  get meta(): { warnings?: Warning[] } {
    const given = this.#missing.size === 0 ? this.#list : this.#list.filter((one) => !this.#isExplained(one));
    if (given.length === 0) return {};
    const more = warning("", "more_warnings", `There are ${this.#more} more warnings.`);
    const list = this.#fields.size === 0 ? given : given.map((one) => this.#counted(one));
    return { warnings: this.#more === 0 ? list : [...list, more] };
  }
}

/** The path of a field, whichever record or element it belongs to. */
function withoutNumbers(path: string): string {
  return path.replace(/\.\d+(?=\.|$)/g, "");
}

/** The most values that the lists inside the records of one answer may have together. Reading them holds up the event loop. */
const mostListed = 100_000;

export function readState({ instance, request, warnings, call }: Environment): ReadState {
  let listed = 0;
  return {
    params: request.params,
    // A simulated platform has an address only once it is called.
    get restUrl() {
      return instance.endpoints.rest ?? "";
    },
    warn: (warning) => warnings.add(warning),
    warnOfMissing: (warning, elements) => warnings.addMissing(warning, elements),
    misfit: call.onMisfit,
    absent: (at) => {
      warnings.addAbsent(instance.connector.title, withoutNumbers(at).replace(/^data\./, ""));
      call.onMisfit?.(warning(at, "field_removed"));
    },
    cut: call.onCut,
    count: (values) => {
      listed += values;
      // A write has been done already, and answers one record only.
      if (listed <= mostListed || request.action.traits.writes) return;
      const message = `${instance.connector.title} sent records whose lists have more than ${mostListed} values.`;
      throw new TenonError("platform_failed", message);
    },
  };
}

/** What an action does to the platform, for the client. @param keyed whether the platform takes a key for each write */
export function effectOf({ writes, idempotent }: ActionTraits, keyed = false): Effect {
  if (!writes) return "none";
  return idempotent ? "idempotent" : keyed ? "keyed" : "once";
}

/** Warns when the platform left out results because of single sign-on, which it reports only in a header. */
export function warnOfHidden(answer: Pick<GraphqlAnswer, "headers">, { instance, warnings }: Environment): void {
  const { sso } = instance.connector.platform;
  const header = sso === undefined ? null : answer.headers.get(sso.header);
  if (sso === undefined || header === null || !new RegExp(sso.partial).test(header)) return;
  warnings.addOnce(warning("data", "partial_results"));
}

/** Notes that an answer had bytes that are not UTF-8: in which of its texts is not known any longer. */
export function brokenText({ connector }: ConnectorInstance, { onMisfit }: Pick<ExecuteContext, "onMisfit">): Warning {
  const message = `${connector.title} sent bytes that are not UTF-8, which were read as U+FFFD.`;
  onMisfit?.(warning("data.(any)", "broken_text", message));
  return warning("data", "broken_text", message);
}

/** Warning about fields that a document was sent without. */
export function fieldsRemoved(title: string, fields: readonly string[]): Warning {
  const message = `${title} no longer has what is read for ${fields.join(", ")}: the value is null, or an empty list.`;
  return warning("data", "field_removed", message);
}

/** Warning that a page is correct but not full. The caller reads on with the page's cursor. @param why a sentence with its full stop */
export function shortPage(why: string): Warning {
  return warning("data", "short_page", `The page has fewer records than were requested: ${why}`);
}

/** The warning for elements of a list that are not records. A sync cannot rely on such a page. */
export function recordsMissing(count: number): Warning {
  return warning("data", "record_missing", `The platform left out ${count} of these records without saying why.`);
}

/** The error for a successful answer without a record. A write that is sent once only may have been done all the same. */
export function noRecord(message: string, { request }: Environment): TenonError {
  const { writes, idempotent } = request.action.traits;
  return writes && !idempotent
    ? new TenonError("write_in_doubt", `${message} ${doubtAdvice}`)
    : new TenonError("unexpected_response", message);
}
