import type { RequestHandler, Response } from "express";
import { mayUseEntity } from "../accounts/index.ts";
import { shown, TenonError } from "../base/errors.ts";
import { type Manual, manualOf } from "../manual/manual.ts";
import type { Answers } from "../server/answers.ts";
import { callerOf } from "../server/callers/bearer.ts";
import { type Instances, instanceOf } from "../server/instance-of.ts";
import { searchOf } from "../server/query.ts";
import { introductionOf, outlineOf, sectionOf } from "./docs-pages.ts";

/** `GET /api/v1/integrations/connectors/{connector_id}/inspect`: what kind of connector it is, and where its docs are. */
export function compatInspectRoute(instances: Instances, answers: Answers): RequestHandler {
  return async (request, response) => {
    const { id, connector } = await instanceOf(instances, request.params["connectorId"], lookerOf(response));
    // The docs of an instance have its id.
    answers.sendJson(response, { id, name: id, connector: connector.name, title: connector.title, docs_skill_id: id });
  };
}

/** `GET /api/v1/skills/docs?id=…&section=…`: the docs of a connector, of the entities that the caller may use. */
export function compatDocsRoute(instances: Instances, answers: Answers): RequestHandler {
  return async (request, response) => {
    const query = searchOf(request);
    const looker = lookerOf(response);
    const { id, connector } = await instanceOf(instances, query.get("id") ?? "", looker);
    const whole = await manualOf(connector);
    const manual: Manual = { ...whole, entities: whole.entities.filter(({ name }) => mayUseEntity(looker.grant, name)) };
    const section = query.get("section");
    const content = section === null ? introductionOf(manual) : sectionOf(manual, section);
    const outline = outlineOf(manual);
    if (content === undefined) {
      const ids = outline.map((one) => one.id).join(", ");
      throw new TenonError("unknown_route", `The docs have no section "${shown(section ?? "")}"; there is ${ids}.`);
    }
    const metadata = { id, title: manual.title, kind: "connector", summary: manual.doc, warnings: [] };
    answers.sendJson(response, { metadata, ...(section === null ? {} : { section_id: section }), content, outline });
  };
}

function lookerOf(response: Response) {
  return { grant: callerOf(response).grant };
}
