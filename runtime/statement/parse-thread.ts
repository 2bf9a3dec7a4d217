import { hasSqlDetails, loadModule, parseSync } from "libpg-query";
import { serveCalls } from "../base/serve-calls.ts";
import { bindStatement } from "./bind.ts";
import type { ParseApi } from "./parser.ts";
import { StatementError } from "./syntax.ts";

// Parsing runs in a thread of its own: a statement may be made to take long, or to end the parser.

await loadModule();

serveCalls<ParseApi>(() => ({
  methods: {
    parse: async (text, tables, now) => {
      try {
        // The parser throws for a text without characters, but not for one of blanks, which has no statement either.
        return { statement: bindStatement(parseSync(text || " "), tables, now) };
      } catch (thrown) {
        if (thrown instanceof StatementError) return { mistake: thrown.mistake };
        if (!hasSqlDetails(thrown)) throw thrown;
        const { message, cursorPosition } = thrown.sqlDetails ?? { message: thrown.message, cursorPosition: 0 };
        return {
          mistake: { message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`, at: Math.max(0, cursorPosition) },
        };
      }
    },
  },
}));
