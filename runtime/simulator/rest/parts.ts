// Bodies of parts (`multipart/form-data`), as platforms that take uploads read them.

/** A file in a body: its name, its media type and its bytes. */
export interface UploadedFile {
  readonly filename: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** The uploaded files, by the objects that replace them in a body: API descriptions declare a file as a string. */
const files = new WeakMap<object, ReadonlyMap<string, UploadedFile>>();

/** The texts and files of a body. In the place of a file stands its name. Undefined where the body does not fit its header. */
export function parseParts(bytes: Buffer, contentType: string): { readonly value: Record<string, unknown> } | undefined {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  // Latin 1 has a character for every byte.
  const text = bytes.toString("latin1");
  const pieces = text.split(`--${boundary}`);
  if (pieces.length < 2 || !pieces.at(-1)?.startsWith("--")) return undefined;
  const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const found = new Map<string, UploadedFile>();
  for (const piece of pieces.slice(1, -1)) {
    const end = piece.indexOf("\r\n\r\n");
    const head = utf8(piece.slice(0, end));
    const name = /\bname="([^"]*)"/.exec(head)?.[1];
    if (end < 0 || name === undefined || !piece.endsWith("\r\n")) return undefined;
    const content = piece.slice(end + 4, -2);
    const filename = /\bfilename="([^"]*)"/.exec(head)?.[1];
    if (filename !== undefined) {
      const type = /content-type:\s*(\S+)/i.exec(head)?.[1] ?? "text/plain";
      found.set(name, { filename, type, bytes: Buffer.from(content, "latin1") });
    }
    value[name] = filename ?? utf8(content);
  }
  files.set(value, found);
  return { value };
}

/** A file that a body has. */
export function fileIn(body: object, name: string): UploadedFile | undefined {
  return files.get(body)?.get(name);
}

function utf8(text: string): string {
  return Buffer.from(text, "latin1").toString();
}
