import type { SearchCaller } from "../base/search-caller.ts";
import type { Warning } from "../contract/index.ts";
import type { CallContext } from "../platform/call.ts";

/** Who asks for a write, for the policy. */
export interface Author {
  /** Id and name of the key or client. */
  readonly id: string;
  readonly name: string;
  /** The `Idempotency-Key` of the write. */
  readonly idempotencyKey?: string | undefined;
  /** Why, in words of the caller. */
  readonly intent?: string | undefined;
  /** True for one who may write and not read: values of the platform are not for them. */
  readonly isBlind?: boolean;
}

export interface ExecuteContext extends Omit<CallContext, "deadline"> {
  /** Milliseconds that the action may take, including all its calls to the platform. */
  readonly timeout: number;
  /**
   * Bytes that the records of a cached search should not exceed, where these are fewer than those of any search; a cursor leads to the
   * rest.
   */
  readonly answerBytes?: number;
  /** A list says how many records there are, where the platform knows that without another call. */
  readonly withTotal?: boolean | undefined;
  /** The entities that the caller may read; absent where these are all. A statement of SQL has no tables of others. */
  readonly entities?: readonly string[];
  /** Called with the milliseconds for which a thread or a connection worked for a cached search. */
  readonly searched?: (ms: number) => void;
  readonly author?: Author;
  /** What the policy has made for a write that a person approved. Nobody else can make it. */
  readonly approval?: object;
  /** Called when a write may be sent, before anything of it is. What it throws keeps the write from being sent. */
  readonly onWrite?: () => Promise<void>;
  /** Called with the warning about each value that does not fit the spec. */
  readonly onMisfit?: (warning: Warning) => void;
  /** Called for each list inside a record that has more elements than were read, where the platform says how it goes on. */
  readonly onCut?: (list: CutList) => void;
}

/** Who searches the cache; undefined for the service itself and where nobody counts. */
export function searchCaller({ caller, searched }: Pick<ExecuteContext, "caller" | "searched">): SearchCaller | undefined {
  return caller === undefined ? undefined : { id: caller, worked: (ms) => searched?.(ms) };
}

/** A list inside a record that was read, of which the answer had only the beginning. */
export interface CutList {
  /** The record, to which the rest of the list may be added. */
  readonly record: Record<string, unknown>;
  readonly field: string;
  /** Cursor of the list's next page. */
  readonly after: string;
}

/** The shape of every answer: the records in `data`, and information about them in `meta`. */
export interface ExecuteResult {
  readonly data: unknown;
  /** `data` as JSON (UTF-8), where it exists already. */
  readonly json?: Uint8Array;
  readonly meta: Readonly<Record<string, unknown>> & { readonly warnings?: readonly Warning[] };
}

/** The same result with more members of `meta`. The records of a cached search stay bytes that are parsed only on demand. */
export function withMeta(result: ExecuteResult, more: ExecuteResult["meta"]): ExecuteResult {
  return {
    get data() {
      return result.data;
    },
    ...(result.json === undefined ? {} : { json: result.json }),
    meta: { ...result.meta, ...more },
  };
}

/** A result as JSON. */
export function resultText({ data, json, meta }: ExecuteResult): string {
  return `{"data":${json === undefined ? JSON.stringify(data) : Buffer.from(json).toString()},"meta":${JSON.stringify(meta)}}`;
}

/** Keeps the records as JSON bytes and parses them only on demand, because most callers only pass the bytes on. */
export class StoreResult implements ExecuteResult {
  readonly json: Uint8Array;
  readonly meta: ExecuteResult["meta"];
  #data: unknown;

  constructor(json: Uint8Array, meta: ExecuteResult["meta"]) {
    this.json = json;
    this.meta = meta;
  }

  get data(): unknown {
    this.#data ??= JSON.parse(Buffer.from(this.json).toString());
    return this.#data;
  }
}
