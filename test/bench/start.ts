import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { bundle } from "../../generator/bundle.ts";
import { median, type Result, round } from "./report.ts";

const runs = 11;

/** From the start of the command, as `make run` and the package start it, until `/readyz` returns 200: with a token, and simulated. */
export async function benchStart(): Promise<Result> {
  await bundle(process.cwd(), resolve("dist/bench-command"));
  const timesOf = async (environment: Record<string, string>) => {
    const times: number[] = [];
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
      { what: "to /readyz", value: round(median(real), 0), unit: "ms", aim: "within 600 ms" },
      { what: "to /readyz, slowest", value: round(Math.max(...real), 0), unit: "ms" },
      { what: "to /readyz, simulated platform", value: round(median(simulated), 0), unit: "ms" },
    ],
  };
}

async function startOnce(environment: Record<string, string>): Promise<number> {
  const { GITHUB_TOKEN: _left, ...rest } = process.env;
  const started = performance.now();
  const server = spawn(process.execPath, ["dist/bench-command/main.js", "serve"], {
    env: { ...rest, ...environment, PORT: "0", TENON_API_KEY: "tenon_bench_key_0123456789abcdef" },
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
    for (;;) {
      const { ok } = await fetch(`${url}/readyz`);
      if (ok) return performance.now() - started;
      await new Promise((resume) => setTimeout(resume, 5));
    }
  } finally {
    server.kill();
  }
}
