import { describe, expect, it } from "vitest";
import { type ErrorCode, errorCodes, errorsFrom } from "../../../runtime/base/error-codes.ts";
import { invalidRequest, TenonError } from "../../../runtime/base/errors.ts";
import { commands } from "../../../runtime/cli/commands.ts";
import { reportProblem } from "../../../runtime/cli/problem.ts";
import type { ToolHost } from "../../../runtime/mcp/host.ts";
import { problemResult } from "../../../runtime/mcp/problem.ts";
import { tools } from "../../../runtime/mcp/tools.ts";
import { serviceDocument } from "../../../runtime/server/openapi/document.ts";
import { problemOf } from "../../../runtime/server/problem.ts";

// Every error names the next step on every interface: a call, whom to ask, or how long to wait.

const { paths } = JSON.parse(await serviceDocument(new Map(), "test"));
const codes = Object.keys(errorCodes) as ErrorCode[];
/** Codes of errors that a tool of MCP may have. */
const ofTools = errorsFrom(["action", "live", "read", "write", "transition", "page", "search", "semantic"]);
const host = { redact: (text: string) => text } as ToolHost;
const errorOf = (code: ErrorCode) =>
  new TenonError(code, "What is wrong.", { retryAfter: 3, proposal: { id: "prop_1", idempotency_key: "prop_1" } });

const overHttp = (error: TenonError) => problemOf(error, "id").what_to_do;
const overMcp = (error: TenonError) =>
  String(JSON.parse(problemResult("read", host, { entity: "issues", action: "list" }, error).text).what_to_do);
const onCommandLine = (error: TenonError) => {
  let text = "";
  reportProblem(error, { write: (written) => (text += written) });
  return String(JSON.parse(text).what_to_do);
};
const interfaces = [
  ["HTTP", overHttp, codes],
  ["the command line", onCommandLine, codes],
  ["MCP", overMcp, ofTools],
] as const;

/** What a sentence begins with that says what to do. */
const deeds =
  /(^|[.:] )(Ask|Call|Check|Choose|Correct|Look|Narrow|Read|First read|Remove|Report|Send|Set|Tell|Try|Use|Wait|`tenon |`GET )/;

describe.each(interfaces)("an error over %s", (_name, textOf, all) => {
  it.each(all)("names what to do after %s, and only what there is", (code) => {
    const text = textOf(errorOf(code));
    expect(text).toMatch(deeds);
    for (const [, name = ""] of text.matchAll(/`tenon ([a-z]+(?: [a-z]+)?)/g))
      expect(commands.map((one) => one.name)).toContain(name);
    for (const [, method = "", path = ""] of text.matchAll(/(GET|POST) (\/[^\s`]+[^\s`.])/g))
      expect(Object.keys(paths[path] ?? {})).toContain(method.toLowerCase());
    for (const [, tool = ""] of text.matchAll(/(?:Call|call|the tool) ([a-z_]+)/g))
      expect(tools.map(({ name }) => name)).toContain(tool);
  });

  it("names the right word where a wrong one has one near it", () => {
    const fault = { pointer: "/entity", code: "unknown_entity", message: "There is none.", suggestion: "issues" };
    expect(textOf(invalidRequest([fault]))).toMatch(/ again with "issues" in place of \/entity\.$/);
  });

  it.each(["unknown_param", "unknown_member"])("says that a name is to be replaced, and not its value: %s", (code) => {
    const fault = { pointer: "/params/repos", code, message: "There is none.", suggestion: "repo" };
    expect(textOf(invalidRequest([fault]))).toMatch(/ again with the name "repo" in place of \/params\/repos\.$/);
  });

  it("names a number where the text of one was sent", () => {
    const fault = { pointer: "/params/number", code: "wrong_type", message: "number must be a whole number.", suggestion: 1 };
    const error = invalidRequest([fault]);
    expect(textOf(error)).toMatch(/ again with the number 1 in place of \/params\/number\.$/);
    expect(error.message).toBe("/params/number: number must be a whole number. Did you mean the number 1?");
  });

  it("has no word replace a statement that has a wrong one in it", () => {
    const pointer = textOf === overMcp ? "/sql" : "/params/sql";
    const fault = { pointer, code: "bad_statement", message: 'There is no table "issue".', suggestion: "issues" };
    expect(textOf(invalidRequest([fault]))).toMatch(
      /^Correct the statement at the place that the message names, and (send it|call sql) again\./,
    );
  });
});

describe("an error over MCP", () => {
  it.each(ofTools)("sends a model neither to commands nor to headers after %s, but to people who have them", (code) => {
    const text = overMcp(errorOf(code));
    if (/`(tenon|GET|POST|Retry-After|Idempotency-Key)/.test(text)) expect(text).toMatch(/(Ask|[Tt]ell) the (operator|user)/);
  });
});
