import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { RequestHandler } from "express";
import { type Grant, hasRight, mayUseEntity } from "../accounts/index.ts";
import type { Logger } from "../base/log.ts";
import type { Connector } from "../contract/index.ts";
import { execute } from "../execute/index.ts";
import { type Manual, manualOf } from "../manual/manual.ts";
import { pageOf } from "../manual/page.ts";
import type { ToolHost } from "../mcp/host.ts";
import { mcpServer } from "../mcp/server.ts";
import { callerOf } from "./bearer.ts";
import type { Gate } from "./gate.ts";
import { type Instances, instanceOf, isVisible, type ListedInstance, organizationOf } from "./instance-of.ts";
import { requireAction } from "./permission.ts";

export interface McpOptions extends Instances {
  readonly list: () => Promise<readonly ListedInstance[]>;
  readonly connectors: ReadonlyMap<string, Connector>;
  readonly log: Logger;
  readonly gate: Gate;
  /** Milliseconds that one action may take. */
  readonly timeout: number;
  /** Whether callers with the right `write` have the tool that writes. */
  readonly mcpWrites: boolean;
}

/**
 * `POST /mcp`: the Model Context Protocol over HTTP, without sessions: every request stands for itself, and its caller's rights hold as on
 * all other routes.
 */
export function mcpRoute(options: McpOptions): RequestHandler {
  return async (request, response) => {
    const { grant } = callerOf(response);
    const looker = { grant, organization: organizationOf(request) };
    const server = mcpServer(hostOf(options, looker, String(response.locals["requestId"])));
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.setHeader("X-Request-Id", String(response.locals["requestId"]));
    response.setHeader("Cache-Control", "no-store");
    response.on("close", () => void server.close());
    // The optional members of the SDK's transport are not typed for `exactOptionalPropertyTypes`.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    await transport.handleRequest(request, response, request.body);
  };
}

function hostOf(
  { list, connectors, log, gate, timeout, mcpWrites, ...instances }: McpOptions,
  looker: { readonly grant: Grant; readonly organization: string | undefined },
  requestId: string,
): ToolHost {
  const { grant } = looker;
  return {
    writes: mcpWrites && hasRight(grant, "write"),
    instances: async () =>
      (await list())
        .filter((one) => one.status !== "off" && isVisible(looker, one))
        .flatMap(({ id, connector: name }) => {
          const connector = connectors.get(name);
          if (connector === undefined) return [];
          return [
            { id, manual: async () => allowed(await manualOf(connector), grant), page: (entity) => pageOf(connector, entity) },
          ];
        }),
    execute: async (id, triple, signal) => {
      const instance = await instanceOf(instances, id, looker);
      requireAction(grant, instance, triple.entity, triple.action);
      const context = { timeout, signal: signal ?? new AbortController().signal, log, requestId };
      return gate.hold(execute(instance, triple, context));
    },
  };
}

/** The entities that the caller may use. */
function allowed(manual: Manual, grant: Grant): Manual {
  return { ...manual, entities: manual.entities.filter(({ name }) => mayUseEntity(grant, name)) };
}
