import { visibleText } from "../../base/visible-text.ts";
import { isAboutCache, isHarmless, type Warning } from "../../contract/index.ts";
import type { Settings } from "../../main/settings/settings.ts";
import { tellSimulated, tellSimulatedThere } from "../simulation.ts";

/** Writes to standard error what a person must know about responses: standard output may go to a program that looks at `data` only. */
export class AnswerNotes {
  readonly #settings: Settings;
  readonly #id: string;
  #isTold: boolean;
  readonly #warned = new Set<string>();

  /** @param id of the connector instance */
  constructor(settings: Settings, id: string) {
    this.#settings = settings;
    this.#id = id;
    this.#isTold = tellSimulated(settings, id);
  }

  /** Writes what `meta` of a response reports, each thing once. */
  of({ simulated, warnings }: Readonly<Record<string, unknown>>): void {
    if (simulated === true && !this.#isTold) {
      this.#isTold = true;
      tellSimulatedThere(this.#settings, [this.#id]);
    }
    for (const warning of Array.isArray(warnings) ? (warnings as readonly Warning[]) : []) {
      const { code, message } = warning;
      const isOld = isAboutCache(warning);
      if (!isOld && isHarmless(warning)) continue;
      const line = `warning: ${code}: ${message}`;
      // The message about a cache may change from page to page, while its sync goes on.
      const key = isOld ? code : line;
      if (this.#warned.has(key)) continue;
      this.#warned.add(key);
      console.error(process.stderr.isTTY ? visibleText(line) : line);
    }
  }
}
