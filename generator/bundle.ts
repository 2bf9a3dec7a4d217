import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type OutputOptions, type Plugin, rolldown } from "rolldown";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";
import { nameInBundle } from "./bundle-name.ts";

/** The packages that each start loads, two hundred small files with what these load themselves. They are joined with our own modules. */
const joined = ["@octokit/graphql", "@octokit/request", "commander", "cors", "express", "picomatch", "pino", "sonic-boom"];

/**
 * Joins the modules of the command `tenon`, and of the threads and processes that it starts, into fewer files. Node finds, reads and links
 * these faster.
 *
 * @param root the folder above `runtime`: the repository, or the compiled package
 * @param out the folder to write, inside `root`. It is made anew. `main.js` in it is the command.
 */
export async function bundle(root: string, out: string): Promise<void> {
  const main = ["main.ts", "main.js"].map((name) => join(root, "runtime/cli", name)).find((file) => existsSync(file));
  if (main === undefined) throw new Error(`${root} has no runtime/cli/main`);
  rmSync(out, { recursive: true, force: true });
  const threads = new Set<string>();
  const modules = await joinModules(root, out, main, threads, {
    entryFileNames: "main.js",
    chunkFileNames: "part-[hash].js",
    // Each connector is a file of the bundle, which is loaded when it is used; what all starts need of all connectors is one file.
    codeSplitting: { groups: [{ name: "facts", test: /\/facts\.[jt]s$/ }] },
  });
  // A thread shares no module with its process. In one file it takes two thirds of the time to start. Threads may name others.
  for (const thread of threads)
    modules.push(
      ...(await joinModules(root, out, thread, threads, { entryFileNames: nameInBundle(root, thread), codeSplitting: false })),
    );
  const missing = joined.filter((name) => !modules.some((id) => id.includes(join("node_modules", name, sep))));
  if (missing.length > 0) throw new Error(`the bundle lacks ${missing.join(", ")}`);
  writeFileSync(join(out, "licenses.txt"), licensesOf(modules));
}

/**
 * Writes the files of one program.
 *
 * @param threads gets the modules that this one starts as threads, which are not in its files
 * @returns the addresses of all modules in the files
 */
async function joinModules(
  root: string,
  out: string,
  entry: string,
  threads: Set<string>,
  options: OutputOptions,
): Promise<string[]> {
  const build = await rolldown({
    cwd: root,
    input: entry,
    platform: "node",
    // All other packages stay where npm installs them.
    external: (name, from) =>
      isBuiltin(name) || !(isAbsolute(name) || name.startsWith(".") || joined.includes(name) || isOfPackage(from ?? "")),
    // A compiled package may be in a folder without node_modules: then the packages of the repository are bundled.
    resolve: { modules: ["node_modules", fileURLToPath(new URL("../node_modules", import.meta.url))] },
    plugins: [addresses(root, out, threads)],
    // Comments with the paths of modules would name the folder of the machine that packs.
    experimental: { attachDebugInfo: "none" },
  });
  const { output } = await build.write({ dir: out, format: "esm", ...options });
  await build.close();
  return output.flatMap((one) => (one.type === "chunk" ? one.moduleIds : []));
}

function isOfPackage(file: string): boolean {
  return file.includes(`${sep}node_modules${sep}`);
}

/** The licenses of the packages in a bundle, which have to be distributed with their code. */
function licensesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license }: Readonly<Record<string, string>> = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
    return [`${name} ${version} (${license})`, ...files.map((file) => readFileSync(join(folder, file), "utf8").trim())].join(
      "\n\n",
    );
  });
  return `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/**
 * Modules find files by `import.meta.url`, which is another address in a bundle: it becomes the address of the source. A module that is
 * started by its address, as a thread or as a process, becomes a file of the bundle: a part of this program, or one of `threads`.
 */
function addresses(root: string, out: string, threads: Set<string>): Plugin {
  return {
    name: "addresses",
    transform(code, id) {
      // A module of the bundler itself has a name and no address.
      if (id.startsWith("\0") || !code.includes("import.meta.")) return null;
      const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
      const source = JSON.stringify(relative(out, id).replaceAll(sep, "/"));
      const isUrl = (node: ESTree.Node | undefined) =>
        node?.type === "MemberExpression" && code.slice(node.start, node.end) === "import.meta.url";
      new Visitor({
        NewExpression: ({ start, end, callee, arguments: [path, base] }) => {
          if (callee.type !== "Identifier" || callee.name !== "URL" || !isUrl(base)) return;
          if (path?.type !== "Literal" || typeof path.value !== "string" || !/\.[jt]s$/.test(path.value)) return;
          const file = fileURLToPath(new URL(path.value, pathToFileURL(id)));
          const fileName = nameInBundle(root, file);
          if (/-thread\.[jt]s$/.test(file)) threads.add(file);
          else this.emitFile({ type: "chunk", id: file, fileName });
          edits.push({ start, end, text: `new URL(${JSON.stringify(`./${fileName}`)}, import.meta.url)` });
        },
        MemberExpression: (node) => {
          if (isUrl(node) && !edits.some(({ start, end }) => start <= node.start && node.end <= end))
            edits.push({ start: node.start, end: node.end, text: `new URL(${source}, import.meta.url).href` });
        },
      }).visit(parseSync(id, code).program);
      return edits.reduceRight((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code);
    },
  };
}
