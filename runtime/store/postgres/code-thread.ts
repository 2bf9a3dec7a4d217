import { parentPort } from "node:worker_threads";
import { CodeScanner } from "../../semantic/code-scanner.ts";
import { nearSlots, refinedSlots } from "../../semantic/nearest-slots.ts";
import type { CodeMessage, NearestSlots } from "./code-messages.ts";

// Runs in a thread of the store. It has the codes of the indexes that are too large for their vectors, and compares them with prompts, so
// that the event loop of the service need not wait.

const scanners = new Map<number, CodeScanner>();

parentPort?.on("message", (message: CodeMessage) => {
  switch (message.kind) {
    case "add": {
      const scanner = scanners.get(message.index) ?? new CodeScanner(message.dims);
      scanners.set(message.index, scanner);
      scanner.add(message.codes);
      return;
    }
    case "drop":
      scanners.delete(message.index);
      return;
    case "end":
      // The open port is all that keeps the thread alive.
      parentPort?.close();
      return;
    case "nearest": {
      const { call, index, wanted, closed } = message;
      const scanner = scanners.get(index);
      const found = () =>
        scanner === undefined
          ? []
          : refinedSlots(
              scanner,
              nearSlots(scanner, message, wanted, closed, () => undefined),
              wanted,
            );
      parentPort?.postMessage({ call, slots: found() } satisfies NearestSlots);
    }
  }
});
