import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { madeOnce } from "../support/made-once.ts";
import { siteFolder } from "../support/site-folder.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** An empty folder of a user into which the packed package and its dependencies are installed. */
export interface Installed {
  /** The file that `npm pack` has made. */
  readonly tarball: string;
  /** The user's folder. */
  readonly folder: string;
  /** The installed package itself. */
  readonly own: string;
  /** Starts a program in the folder with an environment that configures nothing. */
  start(program: string, args: readonly string[], env?: Readonly<Record<string, string>>): ChildProcess;
  remove(): Promise<void>;
}

/** What the package has beside the folders that are built. */
const others = ["package.json", "README.md", "LICENSE", "runtime/cli/tenon.js"];

/**
 * Packs this repository. All of it happens outside the repository, because other tests build and read its `dist/` at the same time.
 *
 * @returns the file
 */
async function pack(folder: string): Promise<string> {
  // What the script `prepack` does. Its make could install packages anew while other tests run.
  const source = join(folder, "source");
  for (const path of others) cpSync(join(root, path), join(source, path));
  await run(process.execPath, ["generator/build-package.ts", "--out", join(source, "dist")], { cwd: root });
  cpSync(await siteFolder(), join(source, "dist/docs"), { recursive: true });
  const { stdout } = await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], { cwd: source });
  return join(folder, stdout.trim().split("\n").at(-1) ?? "");
}

/**
 * Installs the packed package. The dependencies are those of this repository, without those that are only for its development, so that
 * nothing has to be fetched.
 */
export async function installPacked(): Promise<Installed> {
  const shared = inject("packageFolder");
  const tarball = await madeOnce(shared, () => pack(shared));
  const place = mkdtempSync(join(tmpdir(), "tenon-installed-"));
  const folder = join(place, "app");
  const own = join(folder, "node_modules/tenon");
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  mkdirSync(own);
  execFileSync("tar", ["xzf", tarball, "-C", own, "--strip-components=1"]);
  const { bin } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as { bin: { tenon: string } };
  symlinkSync(join(own, bin.tenon), join(folder, "node_modules/.bin/tenon"));
  for (const name of dependencies()) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(join(root, name), join(folder, name));
  }
  const children: ChildProcess[] = [];
  return {
    tarball,
    folder,
    own,
    start: (program, args, env = {}) => {
      const kept = Object.entries(process.env).filter(([name]) => !/^(TENON_|GITHUB_|PORT$|HOST$|NODE_|npm_)/.test(name));
      const child = endsWithTests(
        spawn(program, args, {
          cwd: folder,
          env: { ...Object.fromEntries(kept), ...env },
          stdio: ["ignore", "pipe", "pipe"],
        }),
      );
      children.push(child);
      return child;
    },
    remove: async () => {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill();
        await once(child, "exit");
      }
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** Folders of the packages that a user of the package gets, as the lock file names them: `node_modules/express`. */
function dependencies(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, optional }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && dev !== true && optional !== true)
    .map(([path]) => path);
}

/** Everything that a program writes, and its exit status. */
export async function outputOf(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  const written = { out: "", err: "" };
  child.stdout?.on("data", (chunk) => (written.out += String(chunk)));
  child.stderr?.on("data", (chunk) => (written.err += String(chunk)));
  const [code] = await once(child, "close");
  return { code: typeof code === "number" ? code : null, ...written };
}

/** Resolves with what standard error holds when it matches. */
export function told(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let all = "";
    child.stderr?.on("data", (chunk) => {
      all += String(chunk);
      const found = pattern.exec(all);
      if (found !== null) resolve(found);
    });
    child.once("close", () => reject(new Error(`it ended without saying ${pattern}:\n${all}`)));
  });
}
