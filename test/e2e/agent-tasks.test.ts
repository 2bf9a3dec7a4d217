import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpointOf, runModel } from "../bench/agents/model.ts";
import { runTasks } from "../bench/agents/run.ts";
import { onCommandLine, overHttp, overMcp } from "../bench/agents/surfaces.ts";
import { readTasks, wrongIn } from "../bench/agents/task.ts";
import { openWorld, type World } from "../bench/agents/world.ts";

// The tasks of `make bench NAME=agents`: each is solved by its plan, and each error of the usual mistakes leads to the right call.

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const tasks = readTasks();
/** Those that change nothing may run on one platform several times. */
const reading = tasks.filter((task) => task.do.every(({ write }) => write === undefined));

it("there are 60 tasks, and no two ask the same", () => {
  expect(new Set(tasks.map(({ ask }) => ask)).size).toBe(60);
});

describe("agents find the answer of each task, and the way back from each mistake", () => {
  it("over HTTP", async () => {
    expect(await runTasks(world, overHttp(world), reading)).toMatchObject({ failed: [], lost: [], mistakes: expect.any(Number) });
  });

  it("over MCP, with writes", async () => {
    const surface = await overMcp(world);
    const tally = await runTasks(world, surface);
    await surface.close();
    expect(tally).toMatchObject({ failed: [], lost: [] });
    expect(tally.mistakes).toBeGreaterThan(150);
  });

  it("on the command line", async () => {
    const asked = ["Which pull requests of octocat/hello-world are open?", "Which issue has the most comments?"];
    const some = reading.filter(({ ask }) => asked.includes(ask));
    expect(some).toHaveLength(asked.length);
    expect(await runTasks(world, onCommandLine(world), some)).toMatchObject({ failed: [], lost: [] });
  });
});

it("a wrong answer is found", () => {
  expect(wrongIn("issue 147 by sam", { has: ["14", "sam"], lacks: ["by"] })).toEqual(["lacks 14", 'has "by"']);
});

it("a model gets the tools and the responses, and its answer and the platform are checked", async () => {
  const requests: { messages: { role: string; content: string }[]; tools: { function: { name: string } }[] }[] = [];
  const call = {
    name: "read",
    arguments: JSON.stringify({ connector: "github", entity: "users", action: "get", params: { username: "monalisa" } }),
  };
  const script = [
    { role: "assistant", content: null, tool_calls: [{ id: "1", type: "function", function: call }] },
    { role: "assistant", content: "She is called Mona Lisa." },
    { role: "assistant", content: "I do not know." },
  ];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => (text += String(chunk)));
    request.on("end", () => {
      requests.push(JSON.parse(text) as (typeof requests)[number]);
      const message = script[requests.length - 1];
      response.end(JSON.stringify({ choices: [{ message }], usage: { prompt_tokens: 1000, completion_tokens: 10 } }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const endpoint = endpointOf({ TENON_EVAL_URL: url, TENON_EVAL_MODEL: "scripted", TENON_EVAL_PRICES: "1,10" });
  if (endpoint === undefined) throw new Error("no endpoint");
  const ask = "What is the name of the user monalisa?";
  const [task] = tasks.filter((one) => one.ask === ask);
  if (task === undefined) throw new Error("no task");
  const runs = await runModel(world, endpoint, [task, task]);
  server.close();
  expect(runs).toEqual([
    { ask, good: true, wrong: [], turns: 2, tokens: 2020, dollars: 0.0022 },
    { ask, good: false, wrong: ["lacks Mona Lisa"], turns: 1, tokens: 1010, dollars: 0.0011 },
  ]);
  expect(requests[0]?.tools.map(({ function: { name } }) => name)).toContain("semantic_search");
  expect(requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: expect.stringContaining("Mona Lisa") });
});
