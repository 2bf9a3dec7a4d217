import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { median, type Result, round } from "./report.ts";

const runs = 7;
const cli = resolve("generator/cli.ts");

/**
 * The generator as people run it. Cold: nothing of an earlier run is there, neither caches nor generated files. Warm: once more,
 * everything there. Changed: warm, after another title of one entity. Watch: from saving a spec to the last generated file on disk,
 * in a running watcher.
 */
export async function benchGenerator(): Promise<Result> {
  mkdirSync(".cache", { recursive: true });
  const folder = mkdtempSync(join(resolve(".cache"), "bench-generator-"));
  cpSync("spec", join(folder, "spec"), { recursive: true });
  // Specs name their simulators by paths into the runtime.
  for (const name of ["node_modules", "runtime"]) symlinkSync(resolve(name), join(folder, name));
  try {
    const cold = Array.from({ length: runs }, () => {
      rmSync(join(folder, "generated"), { recursive: true, force: true });
      rmSync(join(folder, ".cache"), { recursive: true, force: true });
      return generate(folder);
    });
    generate(folder);
    const warm = Array.from({ length: runs }, () => generate(folder));
    const spec = join(folder, "spec/github/issues.yaml");
    const text = readFileSync(spec, "utf8");
    const changed = Array.from({ length: runs }, (_, run) => {
      writeFileSync(spec, text.replace("title: Issues", `title: Changed ${run}`));
      return generate(folder);
    });
    writeFileSync(spec, text);
    const watch = await watchTimes(folder);
    return {
      name: "generator",
      notes: `the GitHub connector, ${runs} runs each as whole processes, medians; watch: ${watch.length} saves of one entity, alternately another text`,
      rows: [
        { what: "cold", value: round(median(cold), 0), unit: "ms" },
        { what: "warm", value: round(median(warm), 0), unit: "ms", aim: "under 1000 ms" },
        { what: "warm, one entity changed", value: round(median(changed), 0), unit: "ms", aim: "under 1000 ms" },
        { what: "save to files on disk", value: round(median(watch), 0), unit: "ms", aim: "under 300 ms" },
        { what: "save to files on disk, slowest", value: round(Math.max(...watch), 0), unit: "ms" },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function generate(folder: string): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [cli], { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`the generator failed: ${stderr}`);
  return performance.now() - started;
}

async function watchTimes(folder: string): Promise<number[]> {
  const watcher = spawn(process.execPath, [cli, "--watch"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  watcher.stdout.setEncoding("utf8");
  const said = (text: string) =>
    new Promise<void>((done) => {
      const listen = (chunk: string) => {
        if (!chunk.includes(text)) return;
        watcher.stdout.off("data", listen);
        done();
      };
      watcher.stdout.on("data", listen);
    });
  try {
    await said("watching");
    const spec = join(folder, "spec/github/issues.yaml");
    const page = join(folder, "generated/github/reference/issues.md");
    const text = readFileSync(spec, "utf8");
    const times: number[] = [];
    for (let one = 0; one < 11; one++) {
      const title = `Issues ${one}`;
      const wrote = said("files,");
      const started = performance.now();
      writeFileSync(spec, text.replace("title: Issues", `title: ${title}`));
      await wrote;
      times.push(performance.now() - started);
      if (!readFileSync(page, "utf8").includes(`# ${title}`)) throw new Error("the watcher did not write the change");
      // Past the watcher's own pause for editors that save in several steps.
      await new Promise((resume) => setTimeout(resume, 100));
    }
    return times.slice(1);
  } finally {
    watcher.kill();
  }
}
