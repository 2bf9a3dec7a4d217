import { afterEach } from "vitest";
import { type Http, type Limits, startHttp, type Wire, wire } from "./http.ts";

/** A service of its own for each test of a file, and connections to it. All of them end with the test. */
export function useHttp(): {
  start(limits?: Limits): Promise<Http>;
  /** Opens a connection of a caller who sends something, and who reads only when told so. */
  open(http: Http, send: string | Uint8Array, reads?: boolean): Promise<Wire>;
} {
  let running: Http | undefined;
  let wires: Wire[] = [];
  afterEach(async () => {
    for (const { socket } of wires) socket.destroy();
    wires = [];
    await running?.close();
    running = undefined;
  });
  return {
    start: async (limits = {}) => {
      running = await startHttp(limits);
      return running;
    },
    open: async (http, send, reads = true) => {
      const made = await wire(http, send, reads);
      wires.push(made);
      return made;
    },
  };
}
