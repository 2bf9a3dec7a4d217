/** Writes one line of the log. Without members, the first value is the text. */
interface WriteLine {
  (members: object, text?: string): void;
  (text: string): void;
}

/** Where the parts of the service write what operators should know. */
export interface Logger {
  readonly debug: WriteLine;
  readonly info: WriteLine;
  readonly warn: WriteLine;
  readonly error: WriteLine;
}

const nothing = (): void => undefined;

/** The log of whoever has none, such as the client library. */
export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
