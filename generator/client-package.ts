import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

// The package with the client alone: the types and both modes, without server, store and generator. It is a part of the built package: the
// modules that the clients load, and the packages that these import.

interface PackageFile {
  readonly version: string;
  readonly license: string;
  readonly private?: boolean;
  readonly repository?: unknown;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const readme = `# tenon-client

The TypeScript client of Tenon: types, hosted mode and local mode, without the service.

    import { GitHub } from "tenon-client/github";

    const github = new GitHub({ baseUrl: process.env.TENON_URL, apiKey: process.env.TENON_API_KEY });

\`new GitHub({ accessToken })\` calls the platform from your own process. Bundles for browsers have hosted mode only.
`;

/**
 * Writes the package into the folder \`client-package\` of the build.
 *
 * @param root the repository
 * @param out where the full package was built
 */
export function buildClientPackage(root: string, out: string): void {
  const place = join(out, "client-package");
  rmSync(place, { recursive: true, force: true });
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as PackageFile;
  const connectors = readdirSync(join(out, "generated"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const starts = [
    ...["index", "local-mode", "hosted-only"].map((name) => `runtime/client/${name}`),
    ...connectors.flatMap(({ name }) => [`generated/${name}/client`, `generated/${name}/hosted`]),
  ];
  const found = closure(
    out,
    starts.flatMap((start) => [`${start}.js`, `${start}.d.ts`]),
  );
  for (const file of found.files) {
    mkdirSync(dirname(join(place, "dist", file)), { recursive: true });
    cpSync(join(out, file), join(place, "dist", file));
  }
  cpSync(join(root, "LICENSE"), join(place, "LICENSE"));
  writeFileSync(join(place, "README.md"), readme);
  const wanted = Object.entries(own.dependencies).filter(([name]) => found.packages.has(name));
  const packageFile = {
    name: "tenon-client",
    version: own.version,
    description: "The TypeScript client of Tenon: types, hosted mode and local mode, without the service.",
    license: own.license,
    // Nobody publishes it while the full package must not be published.
    ...(own.private === true ? { private: true } : {}),
    ...(own.repository === undefined ? {} : { repository: own.repository }),
    type: "module",
    exports: Object.fromEntries([".", "./local", "./*", "./package.json"].map((name) => [name, own.exports[name]])),
    files: ["dist"],
    // Applications that embed the client choose their own Node; the service and the generator need a newer one.
    engines: { node: ">=20.18.1" },
    dependencies: Object.fromEntries(wanted),
  };
  writeFileSync(join(place, "package.json"), `${JSON.stringify(packageFile, null, 2)}\n`);
}

/** All files that some files load, at once, later or as a thread, and the packages that they import. */
function closure(out: string, starts: readonly string[]): { files: ReadonlySet<string>; packages: ReadonlySet<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const text = readFileSync(join(out, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, name = ""] of text.matchAll(/(?:from|import|new URL)\s*\(?\s*"([^"\n]+)"/g)) {
      const target = relative(out, resolve(out, dirname(file), name));
      if (!name.startsWith(".")) packages.add(name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
      // What is read as a file, such as the simulated platform of a connector, no client reads.
      else if (/^(runtime\/(?!simulated\/)|generated\/).*\.js$/.test(target))
        visit(file.endsWith(".d.ts") ? declarationOf(out, target) : target);
    }
  };
  for (const start of starts) visit(start);
  return { files, packages };
}

/** A module written in JavaScript has no declarations that need others. */
function declarationOf(out: string, module: string): string {
  const declaration = module.replace(/\.js$/, ".d.ts");
  return existsSync(join(out, declaration)) ? declaration : module;
}
