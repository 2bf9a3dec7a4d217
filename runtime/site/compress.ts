import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { encodings } from "../server/routes/encodings.ts";

const compress = {
  br: (content: Buffer) => promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (content: Buffer) => promisify(gzip)(content, { level: 9 }),
} as const satisfies Record<(typeof encodings)[number]["name"], unknown>;

/** Smaller files fit into one packet as they are. */
const smallest = 1024;

/** The compressed forms of a file by the ending of their names: none of what is small or compressed already. */
export async function compressed(path: string, content: Buffer): Promise<(readonly [ending: string, content: Buffer])[]> {
  if (content.length < smallest || !/\.(html|css|js|json|md|svg|txt|xml)$/.test(path)) return [];
  return Promise.all(encodings.map(async ({ name, ending }) => [ending, await compress[name](content)] as const));
}
