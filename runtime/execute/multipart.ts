import { randomUUID } from "node:crypto";
import { isObject } from "../base/is-object.ts";
import { type SentParam, sentParam } from "../contract/index.ts";
import type { Content } from "../platform/transport.ts";

type Params = Readonly<Record<string, unknown>>;

/**
 * A body of parts (RFC 7578): a file for each parameter that is one, a text for every other value. Objects are sent as JSON, and a list as
 * a part for each of its elements.
 */
export function multipartOf(sent: readonly SentParam[], params: Params, fixed: Params): Content {
  const boundary = `tenon-${randomUUID()}`;
  const pieces: Buffer[] = [];
  const add = (head: string, content: Buffer) =>
    pieces.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`), content, Buffer.from("\r\n"));
  const addText = (name: string, value: unknown): void => {
    for (const one of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const text = typeof one === "object" && one !== null ? JSON.stringify(one) : String(one);
      if (one !== undefined && one !== null) add(`name="${quoted(name)}"`, Buffer.from(text));
    }
  };
  for (const one of sent) {
    const { param, name, file } = sentParam(one);
    const value = params[param];
    if (file !== true || !isObject(value)) addText(name, value);
    else {
      const type = typeof value["contentType"] === "string" ? value["contentType"] : "application/octet-stream";
      const head = `name="${quoted(name)}"; filename="${quoted(String(value["name"]))}"\r\nContent-Type: ${type}`;
      add(head, Buffer.from(String(value["content"]), "base64"));
    }
  }
  for (const [name, value] of Object.entries(fixed)) addText(name, value);
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(pieces) };
}

/** A text in quotes, in which a line break or a quote would end the header (HTML Living Standard, 4.10.22.8). */
function quoted(text: string): string {
  return text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
