import { TenonError } from "../base/errors.ts";

/**
 * After this many refusals of the credential in a row nothing is sent for some time (milliseconds), because further tries would make
 * the platform lock the account out for longer.
 */
const mostRejections = 3;
const rejectionPause = 60_000;

/** Counts how often the platform has refused a credential. */
export class Rejections {
  readonly #title: string;
  #count = 0;
  #until = 0;

  /** @param title of the platform, for messages */
  constructor(title: string) {
    this.#title = title;
  }

  /** @throws TenonError `platform_unauthorized` while nothing is sent because of refusals */
  check(): void {
    if (this.#until > performance.now())
      throw new TenonError(
        "platform_unauthorized",
        `${this.#title} refused the credential of this connector several times; no call is sent for a minute.`,
      );
  }

  /**
   * @param write whether a write was refused. Some platforms respond so where only this write is not allowed: GitLab does for a merge. A
   *   caller who repeats such a write must not stop the calls of others, so it counts only after a read
   */
  add(write: boolean): void {
    if (write && this.#count === 0) return;
    this.#count++;
    if (this.#count < mostRejections) return;
    this.#count = 0;
    this.#until = performance.now() + rejectionPause;
  }

  /** The platform has accepted the credential. */
  clear(): void {
    this.#count = 0;
  }
}
