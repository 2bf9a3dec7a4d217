/** A request to the execute endpoint, as the pages show it. */
export interface SampleRequest {
  readonly entity: string;
  readonly action: string;
  readonly params?: Readonly<Record<string, unknown>>;
}
