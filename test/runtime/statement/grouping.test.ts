import { expect, it } from "vitest";
import { parseStatement } from "../../../runtime/statement/index.ts";
import { things } from "./things.ts";

const parse = (sql: string) => parseStatement(sql, [things]);

it.each([
  "SELECT title, count(*) AS n FROM things GROUP BY title",
  "SELECT CASE WHEN count(*) > 1 THEN max(title) END AS t FROM things",
  "SELECT CASE WHEN title = 'a' THEN 1 END AS t, count(*) AS n FROM things GROUP BY 1",
  "SELECT CASE WHEN count(*) > 1 THEN 'many' ELSE title END AS t FROM things GROUP BY title",
  "SELECT count(*) AS n, max(title) || 'x' AS t FROM things HAVING min(size) > 1",
])("takes what is grouped or inside of an aggregate: %s", async (sql) => {
  expect((await parse(sql)).query.body.kind).toBe("select");
});

it.each([
  ["SELECT title, count(*) AS n FROM things", "title"],
  ["SELECT size, title || 'x' AS t FROM things GROUP BY size", "title"],
  ["SELECT CASE WHEN count(*) > 1 THEN title END AS t FROM things", "title"],
  ["SELECT CASE WHEN count(*) > 1 THEN 'many' ELSE title END AS t FROM things", "title"],
  ["SELECT size FROM things GROUP BY size HAVING title = 'a'", "title"],
  ["SELECT title FROM things GROUP BY title ORDER BY size", "size"],
  ["SELECT count(*) AS n, (SELECT count(*) FROM things o WHERE o.size > t.size) AS m FROM things t", "size"],
])("refuses a column that is neither: %s", async (sql, column) => {
  const message = `The column "${column}" must be in GROUP BY, or inside of an aggregate such as count or max.`;
  await expect(parse(sql)).rejects.toMatchObject({ faults: [{ message: expect.stringContaining(message) }] });
});
