/** What is sent back: text with headers, or nothing but a broken connection. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly broken?: boolean;
}

export const docs = "https://docs.github.com/rest";

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { "content-type": "application/json; charset=utf-8", ...headers }, body: JSON.stringify(body) };
}

/** An error of REST: the status stands in the body too, as a string. */
export function refuse(
  status: number,
  message: string,
  documentation = docs,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return json(status, { message, documentation_url: documentation, status: String(status) }, headers);
}

export function page(status: number, title: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const body = `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body><h1>${title}</h1><p>{"not": "json"}</p></body>\n</html>\n`;
  return { status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body };
}

export const dropped: Answer = { status: 0, headers: {}, body: "", broken: true };
