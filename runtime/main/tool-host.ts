import type { Connector } from "../contract/index.ts";
import { simulatedMark } from "../execute/index.ts";
import { manualOf } from "../manual/manual.ts";
import { referencePage } from "../manual/page.ts";
import type { ToolHost } from "../mcp/host.ts";
import type { ActionAccess } from "./access.ts";

/**
 * Lets tools act through an access.
 *
 * @param only id of the one connector instance that the tools may use; all when absent
 * @param writes whether there is a tool that writes
 */
export function toolHost(
  access: ActionAccess,
  connectors: readonly Connector[],
  { only, writes }: { readonly only?: string | undefined; readonly writes: boolean },
): ToolHost {
  return {
    writes,
    instances: async () =>
      (await access.instances())
        .filter(({ id }) => only === undefined || id === only)
        .flatMap(({ id, connector: name, simulated }) => {
          const connector = connectors.find((one) => one.name === name);
          return connector === undefined
            ? []
            : [
                {
                  id,
                  ...simulatedMark({ simulated }),
                  manual: () => manualOf(connector),
                  page: (entity) => referencePage(connector, entity),
                },
              ];
        }),
    changes: (id, query, { signal }) => access.changes(id, query, { signal }),
    watch: async (id, { cursor: first, ...query }, { signal }) => {
      const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
      let cursor = textOf(first);
      return {
        next: async (wait) => {
          if (signal.aborted) return undefined;
          const page = await access.changes(id, { ...query, cursor, ...(wait > 0 ? { wait } : {}) }, { signal });
          cursor = textOf(page.meta["cursor"]);
          return page;
        },
      };
    },
    execute: (id, triple, call) => access.execute(id, triple, call),
  };
}
