/** Under which name the webhooks of an instance are stored beside tokens, with their secrets. No instance has such an id. */
export function webhooksOf(instance: string): string {
  return `webhooks of ${instance}`;
}

/** The answer to who wants to renew the tokens of an instance. */
export interface TokenLease {
  /** Whether the asker may renew them now. */
  readonly leased: boolean;
  /** The sealed tokens as they are now; undefined while there are none. */
  readonly tokens: string | undefined;
}

/**
 * Stores what platforms have given for the credentials of instances, such as an access token and the refresh token that takes the place
 * of the former one. An instance is any of the service, those of the settings among them.
 */
export interface TokenStore {
  /** The sealed tokens of an instance; undefined while there are none. */
  tokens(instance: string): Promise<string | undefined>;
  /** Ids of all instances that have tokens, ordered. */
  tokenHolders(): Promise<string[]>;
  /**
   * Asks for the right to renew the tokens of an instance. One owner at a time has it, in all processes together, until it saves, or until
   * the time is over by the store's own clock. Nobody gets it for an instance that was removed.
   *
   * @param ms milliseconds for which the right is requested
   */
  leaseTokens(instance: string, owner: string, ms: number): Promise<TokenLease>;
  /**
   * Saves new tokens and gives the right back. With null the right is given back and the tokens stay as they are.
   *
   * @returns false, and nothing is changed, when somebody else has the right meanwhile, or the instance was removed
   */
  saveTokens(instance: string, owner: string, tokens: string | null): Promise<boolean>;
}
