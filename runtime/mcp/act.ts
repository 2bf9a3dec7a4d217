import { TenonError } from "../base/errors.ts";
import { asText, fitted, type Response, searchedBytes } from "./budget.ts";
import { type GivenCursor, type Params, pageWithin, type ToolPaging } from "./page.ts";
import { type TextTable, textRow } from "./table.ts";
import type { ToolRun, ToolTarget } from "./target.ts";

/** An action that a tool runs. */
export interface Deed {
  readonly action: string;
  readonly params: Params;
  /** Set where the action reads a list. */
  readonly paging?: ToolPaging | undefined;
  /** Set where the records of the list become rows of a table. */
  readonly table?: TextTable | undefined;
  readonly cursor?: GivenCursor | undefined;
  readonly idempotencyKey?: string;
  /** Beginnings of places in the request, and of the arguments of the tool that they come from. The first that fits counts. */
  readonly places: Places;
}

export type Places = readonly (readonly [place: string, argument: string])[];

/**
 * Runs an action, and makes its response short enough for a model. Its texts may still have invisible characters: `resultOf` removes them
 * from what is left, which is little.
 *
 * @throws TenonError about the arguments of the tool
 */
export async function act({ host, signal, most }: ToolRun, { instance, entity }: ToolTarget, deed: Deed): Promise<Response> {
  const { action, paging, table, cursor, idempotencyKey, places } = deed;
  const run = async (params: Params): Promise<Response> => {
    const call = {
      signal,
      answerBytes: searchedBytes,
      withTotal: true as const,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    };
    const found = await host
      .execute(instance.id, { entity: entity.name, action, params }, call)
      .catch((thrown: unknown) => Promise.reject(withArguments(thrown, places)));
    if (table === undefined) return asText(found);
    const { data, meta } = found;
    return { data: Array.isArray(data) ? data.map((one: unknown) => textRow(one, table)) : data, meta };
  };
  if (paging !== undefined) return pageWithin(run, deed.params, cursor, paging, most);
  return fitted(await run(deed.params), { most }).response;
}

/** The same error with the tool's arguments in the place of members of a request that the model has not seen. */
export function withArguments(thrown: unknown, places: Places): unknown {
  if (!(thrown instanceof TenonError) || thrown.faults.length === 0) return thrown;
  const argumentOf = (pointer: string): string => {
    const found = places.find(([place]) => pointer === place || pointer.startsWith(`${place}/`));
    return found === undefined ? pointer : `${found[1]}${pointer.slice(found[0].length)}`;
  };
  const { code, message, faults, retryAfter, cause } = thrown;
  const [first] = faults;
  const prefix = `${first?.pointer}: `;
  const said = message.startsWith(prefix) ? `${argumentOf(first?.pointer ?? "")}: ${message.slice(prefix.length)}` : message;
  return new TenonError(code, said, {
    faults: faults.map((fault) => ({ ...fault, pointer: argumentOf(fault.pointer) })),
    cause,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}
