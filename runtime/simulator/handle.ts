import type { Api } from "./fault.ts";
import { type Answered, broken, type Handle } from "./listen.ts";
import { type ReceivedRequest, record } from "./request.ts";
import { serveGraphql } from "./serve-graphql.ts";
import { serveRest } from "./serve-rest.ts";
import type { HeaderFacts } from "./simulated-platform.ts";
import type { Served, Simulation } from "./simulation.ts";

/** What answers the requests of a simulation, and records them. */
export function handlerOf<World extends object, Viewer>(simulation: Simulation<World, Viewer>): Handle {
  return async (received, serial, url) => {
    simulation.arrived++;
    const answered = await carryOut({ simulation, url }, received, serial).catch(broken);
    simulation.record(record(received, answered.answer.status));
    return answered;
  };
}

async function carryOut<World extends object, Viewer>(
  served: Served<World, Viewer>,
  received: ReceivedRequest,
  serial: number,
): Promise<Answered> {
  const { platform, world, limits, ahead } = served.simulation;
  const api: Api = received.path.split("?")[0] === platform.graphql?.path ? "graphql" : "rest";
  const headers = (known?: HeaderFacts<Viewer>["known"]) => ({
    date: new Date(Date.now() + ahead).toUTCString(),
    ...platform.headers({ api, serial, ...(known === undefined ? {} : { known }) }),
  });
  const aside = platform.aside?.(received, { world, ahead });
  if (aside !== undefined) return { answer: aside, headers: headers() };
  const admitted = platform.admit(received, world);
  if ("refused" in admitted) return { answer: admitted.refused, headers: headers() };
  const { viewer } = admitted;
  const answer =
    api === "graphql" && platform.graphql !== undefined
      ? await serveGraphql(served, platform.graphql, viewer, received)
      : await serveRest(served, viewer, received);
  if (api === "rest" && received.method !== "GET") platform.changed?.(world);
  return { answer, headers: headers({ viewer, budget: limits.budget(platform.quota.account(viewer), api) }) };
}
