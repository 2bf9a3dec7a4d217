import { isUtf8 } from "node:buffer";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import { withoutByteOrderMark } from "../../runtime/base/byte-order-mark.ts";

/** A description of a platform, and where it comes from: what an extract of it says as its source. */
export interface Described {
  readonly text: string;
  readonly source: string;
}

/** Milliseconds that a download may take, and the most bytes that it may have. */
const downloadTime = 120_000;
const mostBytes = 300 * 1024 * 1024;

const allowed = "allowed: a file, an http or https address, and package@version/path/in/the/package of npm";

/**
 * Reads a description from `package@version/path/in/the/package` of npm, from an http or https address, or from a file.
 *
 * @returns its text without a byte order mark
 * @throws Error that says what cannot be read
 */
export async function readDescribed(from: string): Promise<Described> {
  const { bytes, source } = await described(from);
  if (bytes.length === 0) throw new Error(`cannot read "${source}": it is empty`);
  // Decoding would put U+FFFD into names, which would then be sent to the platform.
  if (!isUtf8(bytes)) throw new Error(`cannot read "${source}": it is not text in UTF-8`);
  return { text: withoutByteOrderMark(bytes).toString(), source };
}

/** What was read, before it is decoded. */
interface ReadBytes {
  readonly bytes: Buffer;
  readonly source: string;
}

async function described(from: string): Promise<ReadBytes> {
  if (existsSync(from)) {
    if (statSync(from).isDirectory()) throw new Error(`cannot read "${from}": it is a folder; ${allowed}`);
    return { bytes: readFileSync(from), source: from.split(sep).at(-1) ?? from };
  }
  if (/^[a-z][a-z\d+.-]+:\//i.test(from)) return download(from);
  const [, name, version, path] = /^((?:@[\w.-]+\/)?[\w.-]+)@([\w.^~-]+)\/(.+)$/.exec(from) ?? [];
  if (name !== undefined && version !== undefined && path !== undefined) return fromPackage(name, version, path);
  // It may be an address that lacks its beginning.
  const [shown] = from.split("?");
  throw new Error(`cannot read "${shown}": there is no such file; ${allowed}`);
}

async function download(address: string): Promise<ReadBytes> {
  if (!URL.canParse(address)) throw new Error(`cannot read the description: its address is not valid; ${allowed}`);
  const url = new URL(address);
  // A query may hold a token. Messages go to logs, and the extract is committed.
  const source = `${url.protocol}//${url.host}${url.pathname}`;
  const failed = (why: string, cause?: unknown) => new Error(`cannot read "${source}": ${why}`, { cause });
  if (!/^https?:$/.test(url.protocol)) throw failed(`it is not an http or https address; ${allowed}`);
  if (url.username !== "" || url.password !== "") throw failed("the address has to be without a user and a password");
  const unreached = (thrown: unknown) => failed(reasonOf(thrown), thrown);
  const response = await fetch(url, { signal: AbortSignal.timeout(downloadTime) }).catch((thrown: unknown) => {
    throw unreached(thrown);
  });
  if (!response.ok) throw failed(`the response has status ${response.status}`);
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of response.body ?? []) {
      size += piece.length;
      if (size > mostBytes) break;
      pieces.push(piece);
    }
  } catch (thrown) {
    throw unreached(thrown);
  }
  if (size > mostBytes) throw failed(`it has more than ${mostBytes / 2 ** 20} MiB`);
  return { bytes: Buffer.concat(pieces), source };
}

/** What is behind "fetch failed". An error of several addresses of a host has only a code. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  if (!(cause instanceof Error)) return thrown.message;
  return `${thrown.message}: ${cause.message || ("code" in cause ? String(cause.code) : cause.name)}`;
}

/** Unpacks a package of npm into a folder of its own, without running anything of it. */
function fromPackage(name: string, version: string, path: string): ReadBytes {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "tenon-extract-")));
  try {
    const packed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, `${name}@${version}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    });
    const unpacked = join(folder, "unpacked");
    mkdirSync(unpacked);
    // The top folder of a package may have any name. With `--strip-components`, GNU tar would write what follows a `//` anywhere.
    execFileSync("tar", ["xzf", join(folder, packed.trim().split("\n").at(-1) ?? ""), "-C", unpacked]);
    const file = readdirSync(unpacked)
      .map((top) => fileIn(join(unpacked, top), path))
      .find((found) => found !== undefined);
    if (file === undefined) throw new Error(`${name}@${version} has no file "${path}"`);
    return { bytes: readFileSync(file), source: `${name}@${version}/${path}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file inside a folder; undefined when there is none, or a link leads out of the folder. */
function fileIn(folder: string, path: string): string | undefined {
  const file = resolve(folder, path);
  return existsSync(file) && realpathSync(file).startsWith(folder + sep) && statSync(file).isFile() ? file : undefined;
}
