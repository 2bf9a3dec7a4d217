import { type Warning, warning } from "../contract/index.ts";
import type { CallContext, GraphqlAnswer } from "../platform/client.ts";
import type { ConnectorInstance } from "./instance.ts";
import type { ReadState } from "./record-reader.ts";
import type { PlatformRequest } from "./request.ts";

/** One running action: the instance it runs on, what was asked for, its bounds, and what it has to warn of. */
export interface Environment {
  readonly instance: ConnectorInstance;
  readonly call: CallContext;
  readonly request: PlatformRequest;
  readonly warnings: Warnings;
}

/** Warnings of one answer, bounded. */
export class Warnings {
  static readonly most = 50;
  readonly #list: Warning[] = [];
  #more = 0;

  add(warning: Warning): void {
    if (this.#list.length < Warnings.most) this.#list.push(warning);
    else this.#more++;
  }

  /** For what is true of the whole answer, however many calls say so. */
  addOnce(warning: Warning): void {
    if (!this.#list.some((known) => known.code === warning.code)) this.add(warning);
  }

  /** Member of `meta`, absent when there is nothing to warn of. */
  get meta(): { warnings?: Warning[] } {
    if (this.#list.length === 0) return {};
    const more = warning("", "more_warnings", `There are ${this.#more} more warnings.`);
    return { warnings: this.#more === 0 ? this.#list : [...this.#list, more] };
  }
}

export function readState({ instance, request, warnings }: Environment): ReadState {
  return { params: request.params, restUrl: instance.endpoints.rest, warn: (warning) => warnings.add(warning) };
}

/** GitHub leaves out what single sign-on hides, and says so only in a header. */
export function warnOfHidden(answer: Pick<GraphqlAnswer, "headers">, { instance, warnings }: Environment): void {
  const { sso } = instance.connector.platform;
  const told = sso === undefined ? null : answer.headers.get(sso.header);
  if (sso === undefined || told === null || !new RegExp(sso.partial).test(told)) return;
  warnings.addOnce(warning("data", "partial_results"));
}

/** The page is good, but not full; the caller goes on from its cursor. */
export function shortPage(why: string): Warning {
  return warning("data", "short_page", `There are fewer records than asked for: ${why}`);
}
