import { WorkerCalls } from "../../../base/worker-calls.ts";
import type { Plans } from "../../catalogue.ts";
import type { ChangeRetention } from "../../change-log.ts";
import { requests } from "../tables/requests.ts";

/** The data with which a thread is started. */
export interface ThreadOptions {
  readonly file: string;
  readonly plans: Plans;
  /** Whether the writer reads the whole file and refuses it when it is damaged, before it uses the file. */
  readonly verify?: boolean;
  readonly changeRetention?: ChangeRetention | undefined;
  /** One number that both threads share: the request to the running call, one of `requests`. */
  readonly request: Int32Array<SharedArrayBuffer>;
}

/**
 * A thread of the store, whose running call can be asked to stop. It is never ended by force, because ending it inside a call of a native
 * module would crash the whole process.
 */
export class Thread<Api extends object> extends WorkerCalls<Api> {
  readonly #request: Int32Array<SharedArrayBuffer>;

  /**
   * @param module calls `serveThread<Api>`
   * @param name what the thread does, such as "a thread that searches records"
   * @param tell is called with the thread's messages for the operator
   * @param nice by how much its priority is lower than that of the process
   */
  constructor(module: URL, name: string, options: Omit<ThreadOptions, "request">, tell: (text: string) => void, nice = 0) {
    const request = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const data = { ...options, request } satisfies ThreadOptions;
    super(module, { name, data, nice, onNotice: tell });
    this.#request = request;
  }

  /** Asks running and later calls to stop, because their results are not needed. The request holds until `resume`. */
  stop(): void {
    Atomics.store(this.#request, 0, requests.stop);
  }

  /** Asks the running call to stop as soon as it has done more than a little work. The request holds until `resume`. */
  giveWay(): void {
    Atomics.compareExchange(this.#request, 0, requests.goOn, requests.giveWay);
  }

  resume(): void {
    Atomics.store(this.#request, 0, requests.goOn);
  }

  override abandon(): void {
    this.stop();
    super.abandon();
  }
}
