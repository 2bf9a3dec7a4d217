import { readFile } from "node:fs/promises";
import type { RequestHandler } from "express";
import { TenonError } from "../../base/errors.ts";
import { send } from "../headers.ts";
import { serviceDocument } from "./document.ts";

export interface Descriptions {
  readonly version: string;
  /** The OpenAPI document of each connector, by the connector's name. */
  readonly connectors: ReadonlyMap<string, URL>;
}

const type = "application/json; charset=utf-8";

/** `GET /openapi.json`: the whole service. The document is made when it is asked for the first time. */
export function serviceOpenapi({ connectors, version }: Descriptions): RequestHandler {
  let made: Promise<Buffer> | undefined;
  return async (_request, response) => {
    made ??= serviceDocument(connectors, version).then((text) => Buffer.from(text));
    // A failure is not kept: the next request tries again.
    made.catch(() => (made = undefined));
    send(response, type, await made);
  };
}

/** `GET /openapi/{connector}.json`: the document that the generator wrote for the connector. */
export function connectorOpenapi({ connectors }: Descriptions): RequestHandler {
  const read = new Map<string, Promise<Buffer>>();
  return async (request, response) => {
    const name = String(request.params["connector"]);
    const url = connectors.get(name);
    if (url === undefined) throw new TenonError("unknown_connector", "There is no connector of this name.");
    const document = read.get(name) ?? readFile(url);
    read.set(name, document);
    document.catch(() => read.delete(name));
    send(response, type, await document);
  };
}
