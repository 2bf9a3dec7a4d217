/** An entry of `errors` as a platform writes it. Some write a `type` or a `code` beside the message, and not in `extensions`. */
export interface PlatformError {
  readonly type?: string;
  readonly code?: string;
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

export interface GraphqlResult {
  readonly data?: unknown;
  readonly errors?: readonly PlatformError[];
}
