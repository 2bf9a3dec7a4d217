import { crc32, deflateRawSync } from "node:zlib";

// Format: PKWARE's APPNOTE.TXT, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, without the parts for large files.

/** The first of January 1980: the same files always make the same archive. */
const noTime = 0x0021_0000;
const deflated = 8;
/** Names are in UTF-8. */
const utf8 = 0x0800;

/** An archive of files, by their paths in it. */
export function zipOf(files: Readonly<Record<string, string>>): Buffer {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path);
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    // What the header of a file and its entry in the directory have in common.
    const common = numbers(
      [20, 2],
      [utf8, 2],
      [deflated, 2],
      [noTime, 4],
      [crc32(content), 4],
      [packed.length, 4],
      [content.length, 4],
      [name.length, 2],
      [0, 2],
    );
    const entry = Buffer.concat([numbers([0x04034b50, 4]), common, name, packed]);
    const rest = numbers([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]);
    directory.push(numbers([0x02014b50, 4], [20, 2]), common, rest, name);
    entries.push(entry);
    at += entry.length;
  }
  const listed = Buffer.concat(directory);
  const count = entries.length;
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [listed.length, 4], [at, 4], [0, 2]);
  return Buffer.concat([...entries, listed, end]);
}

/** Numbers with their sizes in bytes, the lowest byte first. */
function numbers(...all: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  return Buffer.concat(
    all.map(([value, bytes]) => {
      const made = Buffer.alloc(bytes);
      made.writeUIntLE(value >>> 0, 0, bytes);
      return made;
    }),
  );
}
