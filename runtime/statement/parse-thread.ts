import { hasSqlDetails, loadModule, parseSync } from "libpg-query";
import { serveCalls } from "../base/serve-calls.ts";
import type { Table } from "../contract/index.ts";
import { bindStatement } from "./bind.ts";
import type { ParseApi } from "./parser.ts";
import { quotesNeeded, StatementError } from "./syntax.ts";

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
        const near = / near "(\w+)"$/.exec(message)?.[1]?.toLowerCase() ?? "";
        const hint = isNamed(near, tables) ? quotesNeeded(near) : "";
        return {
          mistake: { message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.${hint}`, at: Math.max(0, cursorPosition) },
        };
      }
    },
  },
}));

/** Whether a table or one of its columns has a name. */
function isNamed(name: string, tables: readonly Table[]): boolean {
  return tables.some((table) => table.entity === name || Object.keys(table.columns).includes(name));
}
