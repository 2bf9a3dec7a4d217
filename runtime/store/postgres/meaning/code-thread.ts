import { serveCalls } from "../../../base/serve-calls.ts";
import { CodeScanner } from "../../../semantic/code-scanner.ts";
import { nearSlots, refinedSlots } from "../../../semantic/nearest-slots.ts";
import type { CodeApi } from "./code-scans.ts";

// Runs in a thread of the store. It has the codes of the indexes that are too large for their vectors, and compares them with prompts, so
// that the event loop of the service need not wait.

serveCalls<CodeApi>(() => {
  const scanners = new Map<number, CodeScanner>();
  return {
    methods: {
      add: (index, dims, codes) => {
        const scanner = scanners.get(index) ?? new CodeScanner(dims);
        scanners.set(index, scanner);
        scanner.add(codes);
      },
      drop: (index) => void scanners.delete(index),
      nearest: (index, prompt, limit, closed) => {
        const scanner = scanners.get(index);
        if (scanner === undefined) return [];
        return refinedSlots(
          scanner,
          nearSlots(scanner, prompt, limit, closed, () => undefined),
          limit,
        );
      },
    },
  };
});
