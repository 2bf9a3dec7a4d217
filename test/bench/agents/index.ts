import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { type Result, type Row, round, sum } from "../report.ts";
import { endpointOf, runModel } from "./model.ts";
import { runTasks, type Tally } from "./run.ts";
import { onCommandLine, overHttp, overMcp } from "./surfaces.ts";
import { readTasks } from "./task.ts";
import { openWorld } from "./world.ts";

/**
 * What 60 tasks cost an agent over each interface, and whether each error says what to call next. With TENON_EVAL_URL, a model does them
 * too. With TENON_BENCH_GITHUB_MCP (the folder with the snapshots of tool schemas in a checkout of github-mcp-server), the tokens of those
 * definitions are counted as well.
 */
export async function benchAgents(): Promise<Result> {
  const endpoint = endpointOf(process.env);
  const rows: Row[] = [];
  let definitions = 0;
  // Each interface gets a platform of its own, because tasks write.
  for (const open of [overHttp, overMcp, onCommandLine]) {
    const world = await openWorld();
    const surface = await open(world);
    const tally = await runTasks(world, surface);
    rows.push(...rowsOf(tally));
    if ("definitions" in surface) definitions = countTokens(surface.definitions);
    await surface.close();
    await world.close();
    for (const text of [...tally.failed, ...tally.lost]) console.log(`${tally.surface}: ${text}`);
  }
  rows.push({
    what: "MCP: definitions of all tools, for all connectors together",
    value: definitions,
    unit: "tokens",
    aim: "at most 1,500",
  });
  const theirs = snapshotTokens(process.env["TENON_BENCH_GITHUB_MCP"]);
  if (theirs !== undefined)
    rows.push({
      what: `github-mcp-server: definitions of its ${theirs.tools} tools (tokens only)`,
      value: theirs.tokens,
      unit: "tokens",
    });
  if (endpoint !== undefined) rows.push(...(await modelRows(endpoint)));
  return {
    name: "agents",
    notes: `${readTasks().length} tasks on the simulated platforms, by their reference plans; tokens of o200k_base, sent and received`,
    rows,
  };
}

function rowsOf({ surface, tokens, calls, bytes, failed, mistakes, lost, mistakeTokens }: Tally): Row[] {
  return [
    { what: `${surface}: tasks answered wrongly`, value: failed.length, unit: "", aim: "0" },
    { what: `${surface}: tokens a task`, value: round(tokens / readTasks().length, 0), unit: "tokens" },
    { what: `${surface}: calls`, value: calls, unit: "" },
    { what: `${surface}: bytes`, value: bytes, unit: "B" },
    { what: `${surface}: errors that do not lead back in one call, of ${mistakes}`, value: lost.length, unit: "", aim: "0" },
    { what: `${surface}: tokens a mistake`, value: round(mistakeTokens / mistakes, 0), unit: "tokens" },
  ];
}

function snapshotTokens(folder: string | undefined): { tools: number; tokens: number } | undefined {
  if (folder === undefined || folder === "") return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith(".snap"));
  const texts = files.map((name) => JSON.stringify(JSON.parse(readFileSync(join(folder, name), "utf8"))));
  return { tools: files.length, tokens: sum(texts.map((text) => countTokens(text))) };
}

async function modelRows(endpoint: NonNullable<ReturnType<typeof endpointOf>>): Promise<Row[]> {
  const world = await openWorld();
  const runs = await runModel(world, endpoint, readTasks());
  await world.close();
  writeFileSync(".cache/bench/agents-model.json", `${JSON.stringify({ model: endpoint.model, runs }, null, 1)}\n`);
  const mean = (values: readonly number[]) => sum(values) / runs.length;
  return [
    { what: `${endpoint.model}: tasks done`, value: runs.filter(({ good }) => good).length, unit: `of ${runs.length}` },
    { what: `${endpoint.model}: turns a task`, value: round(mean(runs.map(({ turns }) => turns)), 2), unit: "" },
    { what: `${endpoint.model}: tokens a task`, value: round(mean(runs.map(({ tokens }) => tokens)), 0), unit: "tokens" },
    { what: `${endpoint.model}: cost a task`, value: round(mean(runs.map(({ dollars }) => dollars)), 5), unit: "$" },
  ];
}
