// Format: "ustar Interchange Format" of POSIX.1-2017, pax, https://pubs.opengroup.org/onlinepubs/9699919799/utilities/pax.html.

const block = 512;
/** The time that npm gives to the files of all packages: the same files always make the same archive. */
const time = 499_162_500;

export interface TarFile {
  /** With `/` between its parts. */
  readonly path: string;
  readonly content: Buffer;
}

/**
 * An archive of files that everybody may read.
 *
 * @throws Error for a path that no header has room for: more than 100 bytes after each `/`, or more than 255 bytes
 */
export function tarOf(files: readonly TarFile[]): Buffer {
  const parts = files.flatMap(({ path, content }) => [
    headerOf(path, content.length),
    content,
    Buffer.alloc((block - (content.length % block)) % block),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

function headerOf(path: string, size: number): Buffer {
  const header = Buffer.alloc(block);
  const [prefix, name] = splitPath(path);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(octal(size, 11), 124);
  header.write(octal(time, 11), 136);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  header.write(prefix, 345);
  // The checksum counts its own field as spaces.
  header.write(" ".repeat(8), 148);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** A name has room for 100 bytes, and what is before one of its `/` for 155. */
function splitPath(path: string): readonly [prefix: string, name: string] {
  const places = [...path.matchAll(/\//g)].map(({ index }) => [path.slice(0, index), path.slice(index + 1)] as const);
  const fitting = [["", path] as const, ...places].find(
    ([prefix, name]) => Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100,
  );
  if (fitting === undefined) throw new Error(`the path is too long for an archive: ${path}`);
  return fitting;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
