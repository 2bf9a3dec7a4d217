/** A request to the execute endpoint, as the pages show it. */
export interface Request {
  readonly entity: string;
  readonly action: string;
  readonly params?: Readonly<Record<string, unknown>>;
}
