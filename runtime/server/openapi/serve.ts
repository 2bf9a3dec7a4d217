import { readFile } from "node:fs/promises";
import type { Request, RequestHandler, Response } from "express";
import { TenonError } from "../../base/errors.ts";
import { madeOnce } from "../../base/made-once.ts";
import type { Rounds } from "../../base/rounds.ts";
import { networkOfCaller } from "../callers/caller-address.ts";
import { send } from "../headers.ts";
import { isUnchanged, type Tagged, tagged } from "../routes/tagged.ts";
import { serviceDocument } from "./document.ts";

export interface Descriptions {
  readonly version: string;
  /** The OpenAPI document of each connector, by the connector's name. */
  readonly connectors: ReadonlyMap<string, URL>;
}

const type = "application/json; charset=utf-8";

/** `GET /openapi.json`: the whole service. The document is made at the first request for it. */
export function serviceOpenapi({ connectors, version }: Descriptions, rounds: Rounds): RequestHandler {
  const document = madeOnce(async () => tagged(await serviceDocument(connectors, version)));
  return async (request, response) => sendDocument(request, response, await document(), rounds);
}

/** `GET /openapi/{connector}.json`: the document that the generator wrote for the connector. */
export function connectorOpenapi({ connectors }: Descriptions, rounds: Rounds): RequestHandler {
  const documents = new Map([...connectors].map(([name, url]) => [name, madeOnce(async () => tagged(await readFile(url)))]));
  return async (request, response) => {
    const document = documents.get(String(request.params["connector"]));
    if (document === undefined) throw new TenonError("unknown_connector", "There is no connector of this name.");
    await sendDocument(request, response, await document(), rounds);
  };
}

/** Anybody may ask for a document, and it is large: each is sent in a turn, so that a search never waits for more than one of them. */
function sendDocument(request: Request, response: Response, { bytes, tag }: Tagged, rounds: Rounds): Promise<void> {
  return rounds.take(networkOfCaller(request, response), () => {
    if (!isUnchanged(request, response, tag)) send(response, type, bytes);
  });
}
