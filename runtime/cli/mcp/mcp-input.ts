import { asTenonError, TenonError } from "../../base/errors.ts";
import { isObject } from "../../base/is-object.ts";
import { JsonScanner } from "../../base/json-scanner.ts";
import { bytesText, requestLimits } from "../../base/request-limits.ts";
import { checkMessage } from "../../mcp/message.ts";

const newline = 10;

/**
 * Reads the messages of MCP from standard input, one in each line. A line that is beyond a limit is dropped as it comes in, because the
 * library of the protocol would read all of it.
 *
 * @param refuse gets the response to a message that is not passed on
 * @returns the lines of the other messages, each with its end
 */
export async function* readMessages(input: AsyncIterable<Buffer>, refuse: (response: string) => void): AsyncGenerator<Buffer> {
  let line = new Line();
  const ended = function* (): Generator<Buffer> {
    const { fault, bytes, id } = line.end();
    if (fault === undefined) yield bytes;
    // A notification gets no response.
    else if (id !== undefined)
      refuse(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32600, message: fault.message } })}\n`);
    line = new Line();
  };
  for await (const chunk of input) {
    for (let from = 0; from < chunk.length; ) {
      const end = chunk.indexOf(newline, from);
      const to = end < 0 ? chunk.length : end + 1;
      line.add(chunk.subarray(from, to));
      from = to;
      if (end >= 0) yield* ended();
    }
  }
  // The last line may have no end.
  if (!line.isEmpty) {
    line.add(Buffer.of(newline));
    yield* ended();
  }
}

/** A line that comes in. */
class Line {
  readonly #scanner = new JsonScanner("The message");
  #pieces: Buffer[] = [];
  #size = 0;
  #fault: TenonError | undefined;

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(piece: Buffer): void {
    if (this.#fault !== undefined) return;
    this.#size += piece.length;
    this.#check(() => {
      if (this.#size > requestLimits.body)
        throw new TenonError("body_too_large", `The message is larger than ${bytesText(requestLimits.body)}.`);
      this.#scanner.scan(piece);
      this.#pieces.push(piece);
    });
  }

  /** The whole line, and of a message that is refused: its id, null where that is not known, undefined where it has none. */
  end(): { readonly fault: TenonError | undefined; readonly bytes: Buffer; readonly id: string | number | null | undefined } {
    const bytes = Buffer.concat(this.#pieces);
    const message = this.#fault === undefined ? parsed(bytes) : undefined;
    this.#check(() => checkMessage(message));
    return { fault: this.#fault, bytes, id: idOf(message) };
  }

  #check(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#fault ??= asTenonError(thrown);
      this.#pieces = [];
    }
  }
}

/** What is no JSON is left to the library, which drops it. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function idOf(message: unknown): string | number | null | undefined {
  if (!isObject(message)) return null;
  const { id } = message;
  if (typeof id === "string" || typeof id === "number") return id;
  return id === undefined ? undefined : null;
}
