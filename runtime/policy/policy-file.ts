import { readFile, stat } from "node:fs/promises";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import type { Connector } from "../contract/index.ts";
import type { Policy } from "./policy.ts";
import { PolicyError, readPolicy } from "./read-policy.ts";

/** Bytes of a file. */
const longest = 256 * 1024;

/** The policy in a file, which is read again when it has changed. */
export class PolicyFile {
  readonly #path: string;
  readonly #connectors: readonly Connector[];
  #state = "";
  #policy: Promise<Policy> = Promise.resolve([]);

  constructor(path: string, connectors: readonly Connector[]) {
    this.#path = path;
    this.#connectors = connectors;
  }

  /** The policy as the file has it now. @throws PolicyError */
  async read(): Promise<Policy> {
    const { mtimeMs, size, ino } = await stat(this.#path).catch((thrown: unknown) => {
      throw unreadable(this.#path, thrown);
    });
    if (size > longest) throw new PolicyError(`${this.#path} must have at most ${longest} bytes`);
    const state = `${mtimeMs} ${size} ${ino}`;
    if (state !== this.#state) {
      this.#state = state;
      this.#policy = readFile(this.#path, "utf8").then(
        (text) => readPolicy(this.#path, text, this.#connectors),
        (thrown: unknown) => {
          // It may be readable the next time, without a change.
          this.#state = "";
          throw unreadable(this.#path, thrown);
        },
      );
    }
    return this.#policy;
  }

  /**
   * The policy for a write. While the file cannot be used, no write is allowed.
   *
   * @throws TenonError `policy_unusable`
   */
  async forWrite(log: Logger): Promise<Policy> {
    return this.read().catch((thrown: unknown) => {
      if (!(thrown instanceof PolicyError)) throw thrown;
      log.error({ policy: thrown.message }, "the policy cannot be used: writes are refused");
      const message = "The policy for writes cannot be used, so no write is sent. The operator finds in the log what is wrong.";
      throw new TenonError("policy_unusable", message);
    });
  }
}

function unreadable(path: string, thrown: unknown): PolicyError {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
  return new PolicyError(`${path} cannot be read: ${code}`);
}
