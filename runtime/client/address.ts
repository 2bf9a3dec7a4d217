import { callError } from "./errors.ts";

/**
 * An address of the options.
 *
 * @param name of the option
 * @returns it without slashes at its end
 * @throws CallError `invalid_request`
 */
export function addressOf(name: string, given: string): string {
  // `fetch` takes no address with a password, and messages show the address.
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol) || /[@?#]/.test(given))
    throw callError("invalid_request", `${name} must be an http or https address without user, query and fragment.`);
  return given.trim().replace(/\/+$/, "");
}
