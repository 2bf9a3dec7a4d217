import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { bundle } from "../../generator/bundle.ts";
import { median, type Result, round } from "./report.ts";

const runs = 11;

interface Start {
  readonly ready: number;
  /** Until a first call has its response. A simulated platform starts with it. */
  readonly called: number;
}

/**
 * From the start of the command, as `make run` and the package start it, until `/readyz` returns 200, with a token and on simulated
 * platforms; and on these until a first call has its response.
 */
export async function benchStart(): Promise<Result> {
  await bundle(process.cwd(), resolve("dist/bench-command"));
  const timesOf = async (environment: Record<string, string>) => {
    const times: Start[] = [];
    for (let one = 0; one < runs; one++) times.push(await startOnce(environment));
    // The first fills the compile cache.
    return times.slice(1);
  };
  const real = await timesOf({ GITHUB_TOKEN: "ghp_benchbenchbenchbenchbenchbenchbench0" });
  const simulated = await timesOf({});
  return {
    name: "start",
    notes: `${runs - 1} starts each of \`tenon serve\` as a process, medians`,
    rows: [
      { what: "to /readyz", value: round(median(real.map(({ ready }) => ready)), 0), unit: "ms", aim: "within 350 ms" },
      { what: "to /readyz, slowest", value: round(Math.max(...real.map(({ ready }) => ready)), 0), unit: "ms" },
      {
        what: "to /readyz, simulated platforms",
        value: round(median(simulated.map(({ ready }) => ready)), 0),
        unit: "ms",
        aim: "within 500 ms",
      },
      {
        what: "to the response of a first call, simulated platform",
        value: round(median(simulated.map(({ called }) => called)), 0),
        unit: "ms",
      },
    ],
  };
}

const key = "tenon_bench_key_0123456789abcdef";

async function startOnce(environment: Record<string, string>): Promise<Start> {
  const { GITHUB_TOKEN: _left, ...rest } = process.env;
  const started = performance.now();
  const server = spawn(process.execPath, ["dist/bench-command/main.js", "serve"], {
    env: { ...rest, ...environment, PORT: "0", TENON_API_KEY: key },
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let text = "";
      server.stdout.setEncoding("utf8");
      server.stdout.on("data", (chunk: string) => {
        text += chunk;
        const found = /"url":"([^"]+)"/.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
      server.once("exit", () => reject(new Error(`the service ended: ${text}`)));
    });
    while (!(await fetch(`${url}/readyz`)).ok) await new Promise((resume) => setTimeout(resume, 5));
    const ready = performance.now() - started;
    // Nothing is sent to a real platform.
    if (environment["GITHUB_TOKEN"] !== undefined) return { ready, called: ready };
    const response = await fetch(`${url}/api/v1/integrations/connectors/github/execute`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: '{"entity":"viewer","action":"get"}',
    });
    await response.text();
    return { ready, called: performance.now() - started };
  } finally {
    server.kill();
  }
}
