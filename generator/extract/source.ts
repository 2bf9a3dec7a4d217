import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";

/** A description of a platform, and where it comes from: what an extract of it says as its source. */
export interface Described {
  readonly text: string;
  readonly source: string;
}

/** Milliseconds that a download may take, and the most bytes that it may have. */
const downloadTime = 120_000;
const mostBytes = 300 * 1024 * 1024;

/**
 * Reads a description from `package@version/path/in/the/package` of npm, from an http or https address, or from a file.
 *
 * @throws Error that says what cannot be read
 */
export async function readDescribed(from: string): Promise<Described> {
  if (existsSync(from)) return { text: readFileSync(from, "utf8"), source: from.split(sep).at(-1) ?? from };
  if (/^https?:\/\//.test(from)) return download(from);
  const [, name, version, path] = /^((?:@[\w.-]+\/)?[\w.-]+)@([\w.^~-]+)\/(.+)$/.exec(from) ?? [];
  if (name !== undefined && version !== undefined && path !== undefined) return fromPackage(name, version, path);
  throw new Error(`cannot read "${from}": it is no file, no address, and no package with a version and a path in it`);
}

async function download(address: string): Promise<Described> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "")
    throw new Error("cannot read the description: its address must be whole, without a user");
  // A query may hold a token. Messages go to logs, and the extract is committed.
  const source = `${url.origin}${url.pathname}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(downloadTime) });
  if (!response.ok) throw new Error(`cannot read "${source}": the response has status ${response.status}`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > mostBytes) throw new Error(`"${source}" has more than ${mostBytes / 2 ** 20} MiB`);
    pieces.push(piece);
  }
  return { text: Buffer.concat(pieces).toString(), source };
}

/** Unpacks a package of npm into a folder of its own, without running anything of it. */
function fromPackage(name: string, version: string, path: string): Described {
  const folder = mkdtempSync(join(tmpdir(), "tenon-extract-"));
  try {
    const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, `${name}@${version}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    execFileSync("tar", ["xzf", join(folder, packed.trim().split("\n").at(-1) ?? ""), "-C", folder]);
    const root = join(folder, "package");
    const file = resolve(root, path);
    if (!file.startsWith(root + sep) || !existsSync(file)) throw new Error(`${name}@${version} has no file "${path}"`);
    return { text: readFileSync(file, "utf8"), source: `${name}@${version}/${path}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
