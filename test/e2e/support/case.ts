import type { Viewer } from "../../../runtime/simulated/github/access.ts";
import { ownerToken, tokens } from "../../../runtime/simulated/github/tokens.ts";
import type { World } from "../../../runtime/simulated/github/world/world.ts";
import type { Platform } from "../../support/github/start.ts";
import type { Expected, Row } from "../records/shared.ts";
import { found, user } from "./world.ts";

/** What an expectation is computed from: the platform's data, its REST address, and whom the service's token belongs to. */
export interface Facts {
  readonly world: World;
  readonly rest: string;
  readonly viewer: Viewer;
}

export function factsOf({ world, url }: Platform): Facts {
  const token = found(tokens.find((one) => one.token === ownerToken));
  return { world, rest: url, viewer: { user: user(world, token.login), token } };
}

export interface ListCase {
  readonly entity: string;
  /** `list` when absent. */
  readonly action?: "list" | "api_search";
  readonly params: Row | ((facts: Facts) => Row);
  /** All records, in order. */
  readonly expected: (facts: Facts) => readonly Expected[];
  /** The list has no pages and takes no `per_page`. */
  readonly single?: true;
  /** Parameter for the size of a page; `per_page` when absent. */
  readonly size?: "limit";
  /** `end_cursor` is a string on the last page too. */
  readonly cursorAlways?: true;
  /** Sizes to walk with; 1, 7 and 100 when absent. */
  readonly sizes?: readonly number[];
  /** What tells two records apart. */
  readonly note?: string;
}

export interface GetCase {
  readonly entity: string;
  /** Codes of the warnings that come with it, with the fields that they are about. */
  readonly warnings?: Readonly<Record<string, string>>;
  readonly params: Row | ((facts: Facts) => Row);
  readonly expected: (facts: Facts) => Expected;
  readonly note?: string;
}

export const paramsOf = (one: ListCase | GetCase, facts: Facts): Row =>
  typeof one.params === "function" ? one.params(facts) : one.params;

export const whole = ({ defaults, extras }: Expected): Row => ({ ...defaults, ...extras });

/** Title of a case: `issues.list`, and what is special. */
export function titled<Case extends ListCase | GetCase>(cases: readonly Case[], action: string): [string, Case][] {
  return cases.map((one) => {
    const own = "action" in one ? (one.action ?? action) : action;
    return [`${one.entity}.${own}${one.note === undefined ? "" : ` ${one.note}`}`, one];
  });
}
