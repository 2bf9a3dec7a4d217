import { type Answer, json } from "./answer.ts";
import type { Fault } from "./fault.ts";
import { damage, isDamage } from "./fault-damage.ts";
import type { GraphqlRefusals } from "./graphql/api.ts";
import type { GraphqlEngine, GraphqlRequest } from "./graphql/engine.ts";
import type { GraphqlResult } from "./graphql/platform-error.ts";
import { DataGap } from "./graphql/refusal.ts";
import { parseBody, type ReceivedRequest } from "./request.ts";
import { delay } from "./serve-rest.ts";
import type { Served } from "./simulation.ts";

/** Answers a GraphQL request: checks it, lets a fault strike it, takes it off the quota, and runs it. */
export async function serveGraphql<World extends object, Viewer>(
  { simulation }: Served<World, Viewer>,
  engine: GraphqlEngine<World, Viewer>,
  viewer: Viewer,
  received: ReceivedRequest,
): Promise<Answer> {
  if (received.method !== "POST") return engine.refusals.method;
  const request = readRequest(received.text, engine.refusals);
  if ("status" in request) return request;
  const { platform, world, limits, faults } = simulation;
  const account = platform.quota.account(viewer);
  const prepared = engine.prepare(request, viewer);
  let result: GraphqlResult | undefined;
  const work = async () => {
    result ??=
      prepared.kind === "refused"
        ? prepared.result
        : await engine.run(prepared.document, request, {
            world,
            viewer,
            web: platform.web,
            cost: prepared.cost,
            budget: () => limits.budget(account, "graphql"),
          });
    return result;
  };
  try {
    const largest = prepared.kind === "ready" ? Math.max(0, ...prepared.pageSizes) : 0;
    const damageable = faults.has(isDamage) ? await work() : undefined;
    const fault = faults.take("graphql", (one) => fits(one, largest, damageable));
    if (fault?.kind === "answer") return fault.answer("graphql", viewer);
    await delay(fault);
    const points = prepared.kind === "ready" ? prepared.cost.points : 1;
    if (!limits.spend(account, "graphql", points)) return platform.quota.exceeded("graphql", viewer);
    const good = await work();
    const answer = json(200, fault !== undefined && isDamage(fault) ? (damage(fault, good) ?? good) : good);
    return fault?.kind === "change" ? fault.change(answer) : answer;
  } catch (error) {
    // Missing data of the simulation must not look like an answer of a platform.
    if (error instanceof DataGap) return json(501, { message: error.message, errors: [{ message: error.message }] });
    throw error;
  }
}

/** Whether a fault can strike this request: some strike only large pages, some only results with parts that can be removed. */
function fits<Viewer>(fault: Fault<Viewer>, largestPage: number, result: GraphqlResult | undefined): boolean {
  if (fault.kind === "answer") return fault.above === undefined || largestPage > fault.above;
  if (isDamage(fault)) return result !== undefined && damage(fault, structuredClone(result)) !== undefined;
  return true;
}

function readRequest(text: string, refusals: GraphqlRefusals): GraphqlRequest | Answer {
  const body = parseBody(text)?.value;
  if (typeof body !== "object" || body === null) return refusals.body;
  const { query, variables, operationName } = body as Readonly<Record<string, unknown>>;
  if (typeof query !== "string") return refusals.query;
  if (variables != null && (typeof variables !== "object" || Array.isArray(variables))) return refusals.variables;
  return {
    query,
    variables: (variables ?? {}) as Readonly<Record<string, unknown>>,
    ...(typeof operationName === "string" ? { operationName } : {}),
  };
}
