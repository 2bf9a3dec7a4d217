import { type ErrorCode, errorCodes } from "../../base/error-codes.ts";
import { errorSources } from "../../base/error-row.ts";
import type { Page } from "../page.ts";

/** A page per error code, to which the `type` of a problem leads. */
export function errorPages(): Page[] {
  return (Object.keys(errorCodes) as ErrorCode[]).map((code) => ({
    path: `errors/${code}`,
    markdown: errorPage(code),
    source: "runtime/base/error-codes.ts",
  }));
}

function errorPage(code: ErrorCode): string {
  const { title, status, retryable, exit, from, advice } = errorCodes[code];
  const again = retryable ? "The same request may succeed later." : "The same request will not succeed.";
  const kin = Object.entries(errorCodes).filter(([name, row]) => row.status === status && name !== code);
  const others = kin.map(([name]) => `[\`${name}\`](${name}.md)`).join(", ");
  return [
    `# ${code}`,
    `${title}.`,
    `${again} The HTTP status is ${status}; the command line ends with exit status ${exit}.`,
    `It is an answer to ${from.map((source) => errorSources[source]).join(" and to ")}.`,
    "## What to do",
    advice,
    "## What it looks like",
    `\`\`\`json\n${JSON.stringify({ type: `/docs/errors/${code}`, title, status, detail: "…", instance: "…", code, message: "…", retryable, errors: [] }, null, 2)}\n\`\`\``,
    ...(others === "" ? [] : [`Other codes with status ${status}: ${others}.`]),
    "[All error codes](../errors.md)",
    "",
  ].join("\n\n");
}
