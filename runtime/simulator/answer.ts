/** What is sent back: text with headers, or nothing but a broken connection. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly broken?: boolean;
}

/** An answer in JSON. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { "content-type": "application/json; charset=utf-8", ...headers }, body: JSON.stringify(body) };
}

/** A web page, as proxies before a platform send it instead of an answer. */
export function page(status: number, title: string, headers: Readonly<Record<string, string>> = {}): Answer {
  const body = `<!DOCTYPE html>\n<html>\n<head><title>${title}</title></head>\n<body><h1>${title}</h1><p>{"not": "json"}</p></body>\n</html>\n`;
  return { status, headers: { "content-type": "text/html; charset=utf-8", ...headers }, body };
}

/** The connection breaks without an answer. */
export const dropped: Answer = { status: 0, headers: {}, body: "", broken: true };

/** Thrown by a resolver or a handler where it cannot go on; the answer is sent as it is. */
export class Refused extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.name = "Refused";
    this.answer = answer;
  }
}
