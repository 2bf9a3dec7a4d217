import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { callable } from "../../runtime/statement/functions.ts";
import { askedStatements, hitStatements } from "../conformance/store/asked-statements.ts";

// Every construct that the page on SQL lists has a case that every store must answer alike.

const page = readFileSync(new URL("../../runtime/site/text/sql-reference.md", import.meta.url), "utf8");
const [, language = ""] = /^## The language$([\s\S]*?)^## /m.exec(page) ?? [];
const rows = [...language.matchAll(/^\| ([\w ]+) \| (.*) \|$/gm)].slice(1);
const constructs = rows.flatMap(([, part = "", what = ""]) =>
  [...what.matchAll(/`((?:\\\||[^`])+)`/g)].map(([, construct = ""]) => [part, construct.replaceAll("\\|", "|")] as const),
);
const statements = [
  ...Object.values(askedStatements).flatMap((all) => all.map(([sql]) => sql)),
  ...Object.values(hitStatements),
].map((sql) => sql.toLowerCase());

/** A construct as a pattern: arguments stand for any others. */
function patternOf(construct: string): RegExp {
  const [head = ""] = construct.toLowerCase().split("(");
  const isCall = construct.includes("(") || callable.includes(head);
  const name = head.trim().replace(/[|.*+?^${}()[\]\\]/g, "\\$&");
  const value = name.replace("'bug'", "'\\w+'").replace("'1 day'", "'\\d+ day[^']*'");
  if (isCall) return new RegExp(`${value}\\s*\\(`);
  return new RegExp(`${/^\w/.test(value) ? "\\b" : ""}${value}${/\w$/.test(value) ? "\\b" : ""}`);
}

describe("the language page of SQL", () => {
  it("lists every function", () => {
    const listed = constructs.map(([, construct]) => construct.split("(")[0]);
    expect(callable.filter((name) => !listed.includes(name) && !["ltrim", "rtrim"].includes(name))).toEqual([]);
  });

  it.each(constructs)("has a case for %s: %s", (_part, construct) => {
    const pattern = patternOf(construct);
    expect(statements.some((sql) => pattern.test(sql))).toBe(true);
  });
});
