import { type ErrorCode, errorCodes } from "../../base/error-codes.ts";
import { errorSources } from "../../base/error-row.ts";
import { TenonError } from "../../base/errors.ts";
import { problemOf } from "../../server/problem.ts";
import type { SitePage } from "../page.ts";
import { errorReports } from "./error-reports.ts";

/** A page per error code, to which the `type` of a problem leads. */
export function errorPages(): SitePage[] {
  return (Object.keys(errorCodes) as ErrorCode[]).map((code) => ({
    path: `errors/${code}`,
    markdown: errorPage(code),
    source: "runtime/base/error-codes.ts",
  }));
}

function errorPage(code: ErrorCode): string {
  const { title, status, retryable, exit, from, advice } = errorCodes[code];
  const { message, causes } = errorReports[code];
  const detail = message.text;
  const again = retryable ? "The same request may succeed later." : "The same request will not succeed.";
  const kin = Object.entries(errorCodes).filter(([name, row]) => row.status === status && name !== code);
  const others = kin.map(([name]) => `[\`${name}\`](${name}.md)`).join(", ");
  const body = problemOf(new TenonError(code, detail), "…");
  return [
    `# ${code}`,
    `${title}.`,
    `${again} The HTTP status is ${status}; the command line ends with exit status ${exit}. Returned by: ${from.map((source) => errorSources[source]).join(", ")}.`,
    "## Message",
    `> ${detail}`,
    "## Causes",
    causes.map((cause) => `- ${cause}`).join("\n"),
    "## What to do",
    advice,
    "## Response",
    `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``,
    ...(others === "" ? [] : [`Other codes with status ${status}: ${others}.`]),
    "[All error codes](../errors.md)",
    "",
  ].join("\n\n");
}
