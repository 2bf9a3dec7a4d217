import type { Viewer } from "./access.ts";
import { type Answer, json, refuse } from "./answer.ts";
import type { Fault } from "./fault.ts";
import { faultAnswer, limitExceeded } from "./fault-answer.ts";
import { damage, isDamage } from "./fault-damage.ts";
import { type GraphqlRequest, type Prepared, prepare, run } from "./graphql/execute.ts";
import type { GraphqlResult } from "./graphql/platform-error.ts";
import { DataGap } from "./graphql/refusal.ts";
import type { Context } from "./graphql/resolver.ts";
import { parseBody, type Received } from "./request.ts";
import { type State, webAddress } from "./state.ts";

export interface Served {
  readonly answer: Answer;
  /** The fault that struck, when it has more to do to the finished answer. */
  readonly fault?: Fault | undefined;
}

export async function serveGraphql(state: State, viewer: Viewer, received: Received): Promise<Served> {
  if (received.method !== "POST") return { answer: refuse(404, "Not Found", "https://docs.github.com/graphql") };
  const request = readRequest(received.text);
  if ("status" in request) return { answer: request };
  const prepared = prepare(request, viewer.token);
  let result: GraphqlResult | undefined;
  const work = async () => {
    result ??=
      prepared.kind === "ready" ? await run(prepared.document, request, contextFor(state, viewer, prepared)) : prepared.result;
    return result;
  };
  try {
    const fault = await takeFault(state, prepared, work);
    const early = fault === undefined ? undefined : faultAnswer(fault, "graphql", viewer.user.databaseId);
    if (early !== undefined) return { answer: early };
    if (fault?.kind === "slow") await delay(fault.ms);
    const points = prepared.kind === "ready" ? prepared.cost.points : 1;
    if (!state.limits.spend(viewer.user.login, "graphql", points))
      return { answer: limitExceeded("graphql", viewer.user.databaseId) };
    const good = await work();
    const answered = fault !== undefined && isDamage(fault) ? (damage(fault, good) ?? good) : good;
    return { answer: json(200, answered), fault };
  } catch (error) {
    // A hole in the simulation must not look like anything that the platform would answer.
    if (error instanceof DataGap) return { answer: json(501, { message: error.message, errors: [{ message: error.message }] }) };
    throw error;
  }
}

/** The next fault that fits this request. Some can tell only from the document or from its result. */
async function takeFault(state: State, prepared: Prepared, work: () => Promise<GraphqlResult>): Promise<Fault | undefined> {
  const largest = prepared.kind === "ready" ? Math.max(0, ...prepared.pageSizes) : 0;
  const result = state.faults.has(isDamage) ? await work() : undefined;
  return state.faults.take("graphql", (fault) => {
    if (fault.kind === "page-too-large") return largest > fault.above;
    if (isDamage(fault)) return result !== undefined && damage(fault, structuredClone(result)) !== undefined;
    return true;
  });
}

function readRequest(text: string): GraphqlRequest | Answer {
  const body = parseBody(text)?.value;
  if (typeof body !== "object" || body === null) return refuse(400, "Problems parsing JSON", "https://docs.github.com/graphql");
  const { query, variables, operationName } = body as Readonly<Record<string, unknown>>;
  if (typeof query !== "string")
    return json(200, { errors: [{ message: "A query attribute must be specified and must be a string." }] });
  if (variables != null && (typeof variables !== "object" || Array.isArray(variables)))
    return refuse(400, "Variables must be a Hash");
  return {
    query,
    variables: (variables ?? {}) as Readonly<Record<string, unknown>>,
    ...(typeof operationName === "string" ? { operationName } : {}),
  };
}

function contextFor(state: State, viewer: Viewer, prepared: Extract<Prepared, { kind: "ready" }>): Context {
  return {
    world: state.world,
    viewer,
    web: webAddress,
    cost: prepared.cost,
    rateLimit: () => {
      const { reset, ...budget } = state.limits.budget(viewer.user.login, "graphql");
      return { ...budget, resetAt: new Date(reset).toISOString() };
    },
  };
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
