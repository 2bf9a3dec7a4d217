import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { textOf } from "./surfaces.ts";
import { type Task, wrongIn } from "./task.ts";
import type { World } from "./world.ts";

// Lets a model work on the tasks, over MCP. The endpoint is any that speaks the chat completions of OpenAI.

export interface Endpoint {
  /** Such as https://api.example.com/v1; the path of chat completions is added. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  /** Dollars for a million tokens, read and written. */
  readonly prices: readonly [read: number, written: number];
}

export interface ModelRun {
  readonly ask: string;
  readonly good: boolean;
  readonly wrong: readonly string[];
  /** Responses of the model. */
  readonly turns: number;
  readonly tokens: number;
  readonly dollars: number;
}

interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

interface Completion {
  readonly choices: readonly { readonly message: Message }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

const system =
  "Answer the question with the tools. Say numbers and names as the tools give them. Do what is asked without asking back.";
/** Responses of the model for one task. */
const mostTurns = 12;
/** Milliseconds for one response of the model. */
const patience = 120_000;

/** The endpoint of the environment; undefined where none is set. @throws Error where a part of it is missing or wrong */
export function endpointOf(env: NodeJS.ProcessEnv): Endpoint | undefined {
  const { TENON_EVAL_URL: url, TENON_EVAL_MODEL: model, TENON_EVAL_KEY: key, TENON_EVAL_PRICES: prices = "0,0" } = env;
  if (url === undefined || url === "") return undefined;
  if (model === undefined || model === "") throw new Error("TENON_EVAL_MODEL must name the model of TENON_EVAL_URL");
  const [read, written] = prices.split(",").map(Number);
  if (!(Number(read) >= 0 && Number(written) >= 0))
    throw new Error("TENON_EVAL_PRICES must be two numbers, such as 0.25,2: dollars for a million tokens read and written");
  return { url, model, key, prices: [Number(read), Number(written)] };
}

/** Has a model do tasks one after the other. */
export async function runModel(world: World, endpoint: Endpoint, tasks: readonly Task[]): Promise<ModelRun[]> {
  const client = new Client({ name: "bench", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${world.key}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${world.url}/mcp`), { requestInit });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  const tools = (await client.listTools()).tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
  const call = async (name: string, args: string): Promise<string> => {
    try {
      return textOf(await client.callTool({ name, arguments: JSON.parse(args) as Record<string, unknown> }));
    } catch (thrown) {
      return String(thrown);
    }
  };
  const runs: ModelRun[] = [];
  for (const task of tasks) runs.push(await runTask(world, endpoint, task, tools, call));
  await client.close();
  return runs;
}

async function runTask(
  world: World,
  endpoint: Endpoint,
  task: Task,
  tools: readonly object[],
  call: (name: string, args: string) => Promise<string>,
): Promise<ModelRun> {
  const messages: Message[] = [
    { role: "system", content: system },
    { role: "user", content: `${task.ask} (${task.connector})` },
  ];
  const used = [0, 0] as [number, number];
  let turns = 0;
  let answer: string | undefined;
  while (answer === undefined && turns < mostTurns) {
    turns++;
    const { choices, usage } = await complete(endpoint, messages, tools);
    used[0] += usage?.prompt_tokens ?? 0;
    used[1] += usage?.completion_tokens ?? 0;
    const message = choices[0]?.message;
    if (message === undefined) throw new Error("the endpoint gave no message");
    messages.push(message);
    for (const { id, function: wanted } of message.tool_calls ?? [])
      messages.push({ role: "tool", tool_call_id: id, content: await call(wanted.name, wanted.arguments) });
    if ((message.tool_calls ?? []).length === 0) answer = message.content ?? "";
  }
  const wrong = answer === undefined ? [`no answer after ${mostTurns} turns`] : wrongIn(answer, task);
  if (task.state !== undefined) wrong.push(...wrongIn(await world.platform(task.state.query), task.state));
  const dollars = (used[0] * endpoint.prices[0] + used[1] * endpoint.prices[1]) / 1e6;
  return { ask: task.ask, good: wrong.length === 0, wrong, turns, tokens: used[0] + used[1], dollars };
}

async function complete(endpoint: Endpoint, messages: readonly Message[], tools: readonly object[]): Promise<Completion> {
  const authorization = endpoint.key === undefined ? {} : { authorization: `Bearer ${endpoint.key}` };
  const response = await fetch(`${endpoint.url.replace(/\/$/, "")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...authorization },
    body: JSON.stringify({ model: endpoint.model, messages, tools, temperature: 0 }),
    signal: AbortSignal.timeout(patience),
  });
  if (!response.ok) throw new Error(`the endpoint answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
  return (await response.json()) as Completion;
}
