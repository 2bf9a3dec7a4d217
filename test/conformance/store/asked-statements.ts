// Statements by construct of the language page, with the rows that every store must answer.

export const askedRecords = [
  {
    id: "a",
    title: "Crash on start",
    body: "It crashes.",
    openedAt: "2024-01-01T10:00:00Z",
    closedAt: "2024-01-03T10:00:00Z",
    done: true,
    size: 7,
    price: 1.5,
    labels: [{ name: "bug" }, { name: "ui" }],
  },
  {
    id: "b",
    title: "crash on stop",
    body: null,
    openedAt: "2024-01-31T23:59:59.5Z",
    closedAt: null,
    done: false,
    size: -2,
    price: 2.5,
    labels: [{ name: "bug" }],
  },
  {
    id: "c",
    title: "Ärger mit Straße",
    openedAt: "2024-03-01T00:00:00+02:00",
    closedAt: "2024-03-01T06:00:00Z",
    done: true,
    size: 7,
  },
  { id: "d", title: null, openedAt: null, done: null, size: null, price: 2, labels: [{ name: "ui" }] },
];

/** A statement, and its rows. */
export type Asked<Result = readonly object[]> = readonly [sql: string, result: Result];

export const ids = (...all: readonly string[]) => all.map((id) => ({ id }));

/** By construct of the language page. */
export const askedStatements: Readonly<Record<string, readonly Asked[]>> = {
  select: [
    [
      "SELECT 1 AS one, 'x' AS text, NULL AS nothing, 1.5 AS half, true AS yes",
      [{ one: 1, text: "x", nothing: null, half: 1.5, yes: true }],
    ],
    [
      "SELECT id, openedAt, done, size, price, labels FROM events WHERE id = 'a'",
      [{ id: "a", openedAt: "2024-01-01T10:00:00Z", done: true, size: 7, price: 1.5, labels: ["bug", "ui"] }],
    ],
    ["SELECT e.* FROM lights e", []],
    ["SELECT key, opened_at FROM events ORDER BY opened_at DESC LIMIT 1", [{ key: "c", opened_at: "2024-02-29T22:00:00Z" }]],
    ["SELECT DISTINCT size FROM events ORDER BY size", [{ size: -2 }, { size: 7 }, { size: null }]],
    ["SELECT id FROM events ORDER BY size DESC, id LIMIT 2 OFFSET 1", ids("c", "b")],
    ["SELECT id FROM events ORDER BY title NULLS FIRST LIMIT 2", ids("d", "a")],
    ["SELECT id FROM events ORDER BY length(title) DESC, 1 OFFSET 3", ids("d")],
  ],
  where: [
    ["SELECT id FROM events WHERE size > 0 AND NOT done IS NULL ORDER BY id", ids("a", "c")],
    ["SELECT id FROM events WHERE title LIKE 'CRASH%' ORDER BY id", ids("a", "b")],
    ["SELECT id FROM events WHERE title NOT ILIKE '%st__t' ORDER BY id", ids("b", "c")],
    ["SELECT id FROM events WHERE title LIKE '%STRASSE'", []],
    ["SELECT id FROM events WHERE title LIKE 'ä%straße'", ids("c")],
    ["SELECT id FROM events WHERE id IN ('a', 'd', 'x') ORDER BY id", ids("a", "d")],
    ["SELECT id FROM events WHERE size NOT IN (7, 8)", ids("b")],
    ["SELECT id FROM events WHERE price BETWEEN 1.5 AND 2 ORDER BY id", ids("a", "d")],
    ["SELECT id FROM events WHERE opened_at >= '2024-01-31' AND opened_at < timestamp '2024-02-01'", ids("b")],
    ["SELECT id FROM events WHERE done IS NOT TRUE ORDER BY id", ids("b", "d")],
    ["SELECT id FROM events WHERE done IS FALSE OR done IS UNKNOWN ORDER BY id", ids("b", "d")],
    ["SELECT id FROM events WHERE size IS DISTINCT FROM 7 ORDER BY id", ids("b", "d")],
    ["SELECT id FROM events WHERE closed_at - opened_at > interval '1 day 1 hour'", ids("a")],
    ["SELECT id FROM events WHERE 'bug' = ANY(labels) ORDER BY id", ids("a", "b")],
    ["SELECT id FROM events WHERE title < 'b' ORDER BY id", ids("a")],
  ],
  words: [
    ["SELECT id FROM events WHERE keyword(title, 'START nothing') ORDER BY id", ids("a")],
    ["SELECT id FROM events WHERE NOT keyword(title, 'crash') ORDER BY id", ids("c", "d")],
    ["SELECT id FROM events WHERE fuzzy(title, 'crahs') ORDER BY id", ids("a", "b")],
    ["SELECT id FROM events WHERE fuzzy(title, 'ARGER straße') OR fuzzy(body, 'crash') ORDER BY id", ids("a", "c")],
    ["SELECT id FROM events WHERE fuzzy(title, 'crash stopp') AND NOT fuzzy(title, 'stop crash')", ids("b")],
    ["SELECT id FROM events WHERE fuzzy(title, 'äger Straße')", ids("c")],
    [
      "SELECT e.id, keyword(t.title, 'title') AS k FROM events e LEFT JOIN things t ON t.id = e.id ORDER BY 1",
      [
        { id: "a", k: true },
        { id: "b", k: true },
        { id: "c", k: false },
        { id: "d", k: false },
      ],
    ],
    [
      "SELECT count(*) FILTER (WHERE fuzzy(title, 'crash')) AS n, size > 0 AS s FROM events GROUP BY size > 0 ORDER BY n DESC, s",
      [
        { n: 1, s: false },
        { n: 1, s: true },
        { n: 0, s: null },
      ],
    ],
    [
      "SELECT keyword(title, 'crash') AS k, count(*) AS n FROM events GROUP BY keyword(title, 'crash') ORDER BY k",
      [
        { k: false, n: 2 },
        { k: true, n: 2 },
      ],
    ],
  ],
  joins: [
    [
      "SELECT e.id, t.title FROM events e JOIN things t ON t.id = e.id ORDER BY 1",
      [
        { id: "a", title: "Title of a" },
        { id: "b", title: "Title of b" },
      ],
    ],
    [
      "SELECT e.id FROM events e LEFT JOIN things t ON t.id = e.id AND t.title LIKE '%a' WHERE t.id IS NULL ORDER BY 1",
      ids("b", "c", "d"),
    ],
    ["SELECT count(*) AS n FROM events, things t WHERE events.id <> t.id", [{ n: 6 }]],
    ["SELECT e.id, o.id AS other FROM events e JOIN events o ON o.size = e.size AND o.id > e.id", [{ id: "a", other: "c" }]],
    ["SELECT count(*) AS n FROM events a CROSS JOIN events b", [{ n: 16 }]],
  ],
  lists: [
    [
      "SELECT unnest(labels) AS label, count(*) AS n FROM events GROUP BY 1 ORDER BY 2 DESC, 1",
      [
        { label: "bug", n: 2 },
        { label: "ui", n: 2 },
      ],
    ],
    [
      "SELECT e.id, l FROM events e, unnest(e.labels) AS l ORDER BY 1, 2",
      [
        { id: "a", l: "bug" },
        { id: "a", l: "ui" },
        { id: "b", l: "bug" },
        { id: "d", l: "ui" },
      ],
    ],
    [
      "SELECT e.id, u.label FROM events e LEFT JOIN unnest(e.labels) AS u(label) ON true WHERE u.label IS NULL ORDER BY 1",
      [{ id: "c", label: null }],
    ],
    [
      "SELECT id, cardinality(labels) AS n FROM events ORDER BY n DESC, id",
      [
        { id: "a", n: 2 },
        { id: "b", n: 1 },
        { id: "d", n: 1 },
        { id: "c", n: 0 },
      ],
    ],
  ],
  places: [
    [
      "SELECT id, scope, parent FROM parts WHERE 'all' = ANY(scope) ORDER BY id",
      [
        { id: "p", scope: ["all", "more"], parent: ["a", "b"] },
        { id: "q", scope: ["all"], parent: [] },
      ],
    ],
    ["SELECT * FROM parts WHERE id = 'q'", [{ key: "q", id: "q", title: "Title of q" }]],
    [
      "SELECT t.id, count(p.key) AS n FROM things t LEFT JOIN parts p ON t.key = ANY(p.parent) GROUP BY t.id ORDER BY 1",
      [
        { id: "a", n: 1 },
        { id: "b", n: 1 },
      ],
    ],
    ["SELECT DISTINCT s FROM parts, unnest(scope) AS s ORDER BY 1", [{ s: "all" }, { s: "more" }]],
    ["SELECT scope, parent FROM lights", []],
  ],
  groups: [
    [
      "SELECT size, count(*) AS n, count(price) AS p, sum(price) AS s, avg(price) AS a, min(title) AS t, max(opened_at) AS m FROM events GROUP BY size ORDER BY size",
      [
        { size: -2, n: 1, p: 1, s: 2.5, a: 2.5, t: "crash on stop", m: "2024-01-31T23:59:59.500Z" },
        { size: 7, n: 2, p: 1, s: 1.5, a: 1.5, t: "Crash on start", m: "2024-02-29T22:00:00Z" },
        { size: null, n: 1, p: 1, s: 2, a: 2, t: null, m: null },
      ],
    ],
    ["SELECT count(*) AS n, sum(size) AS s, max(size) AS m FROM events WHERE id = 'x'", [{ n: 0, s: null, m: null }]],
    [
      "SELECT count(DISTINCT size) AS d, count(*) FILTER (WHERE done) AS f, bool_and(done) AS b, bool_or(done) AS o FROM events",
      [{ d: 2, f: 2, b: false, o: true }],
    ],
    [
      "SELECT CASE WHEN size > 0 THEN 'large' ELSE 'small' END AS k, count(*) AS n FROM events GROUP BY CASE WHEN size > 0 THEN 'large' ELSE 'small' END ORDER BY k",
      [
        { k: "large", n: 2 },
        { k: "small", n: 2 },
      ],
    ],
    [
      "SELECT lower(left(title, 5)) || '!' AS k, count(*) AS n FROM events GROUP BY 1 HAVING count(*) > 1 ORDER BY count(*) DESC",
      [{ k: "crash!", n: 2 }],
    ],
    [
      "WITH sizes AS (SELECT size FROM events) SELECT abs(size) AS a, max(size) AS m FROM sizes GROUP BY abs(size) ORDER BY 1",
      [
        { a: 2, m: -2 },
        { a: 7, m: 7 },
        { a: null, m: null },
      ],
    ],
    [
      "SELECT date_trunc('month', opened_at) AS m, count(*) AS n FROM events GROUP BY m ORDER BY m",
      [
        { m: "2024-01-01T00:00:00Z", n: 2 },
        { m: "2024-02-01T00:00:00Z", n: 1 },
        { m: null, n: 1 },
      ],
    ],
    [
      "SELECT string_agg(id, ', ' ORDER BY size DESC) AS all_ids, string_agg(DISTINCT size::text || '!', '/') AS sizes FROM events WHERE size IS NOT NULL",
      [{ all_ids: "a, c, b", sizes: "-2!/7!" }],
    ],
    [
      "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY price) AS m, percentile_disc(0.5) WITHIN GROUP (ORDER BY price) AS d, percentile_cont(0.5) WITHIN GROUP (ORDER BY closed_at - opened_at) AS i FROM events",
      [{ m: 2, d: 2, i: 100_800 }],
    ],
    ["SELECT size FROM events GROUP BY size HAVING size IN (SELECT size FROM events WHERE id = 'b')", [{ size: -2 }]],
  ],
  subqueries: [
    ["SELECT id FROM events WHERE size = (SELECT max(size) FROM events) ORDER BY id", ids("a", "c")],
    [
      "SELECT id, (SELECT title FROM things t WHERE t.id = events.id) AS t FROM events ORDER BY id LIMIT 3",
      [
        { id: "a", t: "Title of a" },
        { id: "b", t: "Title of b" },
        { id: "c", t: null },
      ],
    ],
    [
      "SELECT id FROM events e WHERE EXISTS (SELECT 1 FROM events o WHERE o.size = e.size AND o.id <> e.id) ORDER BY id",
      ids("a", "c"),
    ],
    ["SELECT id FROM events WHERE id NOT IN (SELECT id FROM things) ORDER BY id", ids("c", "d")],
    ["SELECT x.id FROM (SELECT id, size * 2 AS twice FROM events) AS x WHERE x.twice > 0 ORDER BY 1", ids("a", "c")],
    ["SELECT size, (SELECT count(*) FROM things) AS n FROM events GROUP BY size ORDER BY 1 LIMIT 1", [{ size: -2, n: 2 }]],
    [
      "SELECT upper(title) AS u, (SELECT count(*) FROM events o WHERE o.size = e.size) AS n FROM events e GROUP BY upper(title), size ORDER BY 1 LIMIT 1",
      [{ u: "CRASH ON START", n: 2 }],
    ],
  ],
  with: [
    [
      "WITH big AS (SELECT * FROM events WHERE size > 0), two(k) AS (SELECT id FROM big) SELECT count(*) AS n FROM two JOIN big ON big.id = two.k",
      [{ n: 2 }],
    ],
    ["SELECT * FROM (WITH x AS (SELECT id FROM things) SELECT id FROM x) y ORDER BY id DESC LIMIT 1", ids("b")],
  ],
  sets: [
    ["SELECT id FROM events UNION SELECT id FROM things ORDER BY id", ids("a", "b", "c", "d")],
    [
      "SELECT size FROM events UNION ALL SELECT 7 ORDER BY 1",
      [{ size: -2 }, { size: 7 }, { size: 7 }, { size: 7 }, { size: null }],
    ],
    ["SELECT id FROM events INTERSECT SELECT id FROM things ORDER BY 1", ids("a", "b")],
    ["(SELECT id FROM events ORDER BY id DESC LIMIT 2) EXCEPT SELECT 'c'", ids("d")],
    ["SELECT 1 AS a UNION SELECT 2.5 ORDER BY a", [{ a: 1 }, { a: 2.5 }]],
  ],
  windows: [
    [
      "SELECT id, row_number() OVER (PARTITION BY size ORDER BY id DESC) AS n FROM events WHERE size = 7 ORDER BY id",
      [
        { id: "a", n: 2 },
        { id: "c", n: 1 },
      ],
    ],
    [
      "SELECT id, rank() OVER w AS r, dense_rank() OVER w AS d, lag(id) OVER w AS p, lead(id, 2, 'none') OVER w AS l FROM events WINDOW w AS (ORDER BY size DESC, id) ORDER BY id",
      [
        { id: "a", r: 1, d: 1, p: null, l: "b" },
        { id: "b", r: 3, d: 3, p: "c", l: "none" },
        { id: "c", r: 2, d: 2, p: "a", l: "d" },
        { id: "d", r: 4, d: 4, p: "b", l: "none" },
      ],
    ],
    [
      "SELECT id, sum(size) OVER (ORDER BY id) AS s, sum(size) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS t, count(*) OVER () AS n FROM events ORDER BY id",
      [
        { id: "a", s: 7, t: 7, n: 4 },
        { id: "b", s: 5, t: 5, n: 4 },
        { id: "c", s: 12, t: 5, n: 4 },
        { id: "d", s: 12, t: 7, n: 4 },
      ],
    ],
    [
      "SELECT size, sum(count(*)) OVER (ORDER BY size) AS running FROM events GROUP BY size ORDER BY size",
      [
        { size: -2, running: 1 },
        { size: 7, running: 3 },
        { size: null, running: 4 },
      ],
    ],
    [
      "SELECT id, ntile(2) OVER (ORDER BY id) AS n, first_value(id) OVER (ORDER BY id) AS f, last_value(id) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS l FROM events ORDER BY id LIMIT 2",
      [
        { id: "a", n: 1, f: "a", l: "d" },
        { id: "b", n: 1, f: "a", l: "d" },
      ],
    ],
    [
      "SELECT id, percent_rank() OVER (ORDER BY size) AS p, cume_dist() OVER (ORDER BY size) AS c FROM events ORDER BY id",
      [
        { id: "a", p: 1 / 3, c: 0.75 },
        { id: "b", p: 0, c: 0.25 },
        { id: "c", p: 1 / 3, c: 0.75 },
        { id: "d", p: 1, c: 1 },
      ],
    ],
  ],
  text: [
    [
      "SELECT left(t, 2) AS l, right(t, 2) AS r, substr(t, 2, 1) AS s, trim(t, '\x01') AS m, strpos(t, '\x03') AS p, length(t) AS n, t LIKE '_\x02_' AS k FROM (SELECT '\x01\x02\x03' AS t) x",
      [{ l: "\x01\x02", r: "\x02\x03", s: "\x02", m: "\x02\x03", p: 3, n: 3, k: true }],
    ],
    [
      "SELECT lower('ÀΣİ') AS l, upper('straße') AS u, length('a😀') AS n, trim('  x ') AS t, ltrim('xxa', 'x') AS lt, rtrim('axx', 'x') AS rt",
      [{ l: "àσi̇", u: "STRASSE", n: 2, t: "x", lt: "a", rt: "a" }],
    ],
    [
      "SELECT substr('abcdef', 3, 2) AS s, substr('abcdef', 3) AS r1, substring('abc' FROM 0) AS r2, substr('a😀b', 2) AS r3, substring('abcdef' FROM 0 FOR 3) AS z, left('abc', -1) AS l, right('abc', 2) AS r, replace('aXbX', 'X', '-') AS p",
      [{ s: "cd", r1: "cdef", r2: "abc", r3: "😀b", z: "ab", l: "ab", r: "bc", p: "a-b-" }],
    ],
    [
      "SELECT strpos('a😀b', 'b') AS p, position('x' IN 'abc') AS n, split_part('a/b/c', '/', 2) AS s, split_part('a/b', '', 1) AS a, split_part('a/b', '', 2) AS e, starts_with('abc', 'ab') AS w, concat('a', NULL, 1, true) AS c, 'n' || 1 AS j",
      [{ p: 3, n: 0, s: "b", a: "a/b", e: "", w: true, c: "a1true", j: "n1" }],
    ],
    [
      "SELECT coalesce(title, '?') AS t, nullif(size, 7) AS n, greatest(size, 0, NULL) AS g, least(title, 'M') AS l, coalesce(size) AS o FROM events WHERE id IN ('a', 'd') ORDER BY id",
      [
        { t: "Crash on start", n: null, g: 7, l: "Crash on start", o: 7 },
        { t: "?", n: null, g: 0, l: "M", o: null },
      ],
    ],
  ],
  numbers: [
    [
      "SELECT 7 / 2 AS i, 7::numeric / 2 AS n, count(*)::float8 / 3 AS c, sign(count(*)) / 2 AS s, avg(done::int) AS done FROM events",
      [{ i: 3, n: 3.5, c: 4 / 3, s: 0.5, done: 2 / 3 }],
    ],
    [
      "SELECT 7 / 2 AS d, -7 / 2 AS e, 7 / 2.0 AS f, 7 % 4 AS m, 1 / 0 AS z, 2 * 3 - 1 AS s, -size AS n FROM events WHERE id = 'b'",
      [{ d: 3, e: -3, f: 3.5, m: 3, z: null, s: 5, n: 2 }],
    ],
    [
      "SELECT round(2.5) AS a, round(-2.5) AS b, round(1.005, 2) AS c, floor(-1.5) AS f, ceil(1.2) AS g, trunc(-1.7) AS t, abs(-3) AS x, sign(-2.5) AS s, sqrt(9) AS q, sqrt(-1) AS i",
      [{ a: 3, b: -3, c: 1.01, f: -2, g: 2, t: -1, x: 3, s: -1, q: 3, i: null }],
    ],
    [
      "SELECT '12'::int + 1 AS i, '1.5'::numeric AS n, 2.6::int AS r, 12::text AS t, 0.5::text AS h, 'x1'::text::int AS bad, true::int AS b, 1e20::text AS e",
      [{ i: 13, n: 1.5, r: 3, t: "12", h: "0.5", bad: null, b: 1, e: "1e+20" }],
    ],
  ],
  time: [
    [
      "SELECT date_trunc('week', timestamp '2024-03-03 12:00') AS w, date_trunc('quarter', timestamp '2024-05-05') AS q, date_trunc('hour', timestamp '2024-05-05 10:11:12') AS h, date '2024-05-05' AS d",
      [{ w: "2024-02-26T00:00:00Z", q: "2024-04-01T00:00:00Z", h: "2024-05-05T10:00:00Z", d: "2024-05-05T00:00:00Z" }],
    ],
    [
      "SELECT extract(second FROM t) AS s, extract(epoch FROM t) AS e, t::text AS x FROM (SELECT '9999-12-31T23:59:59.998Z'::timestamp AS t) a",
      [{ s: 59.998, e: 253_402_300_799.998, x: "9999-12-31T23:59:59.998Z" }],
    ],
    [
      "SELECT extract(quarter FROM t) AS q, extract(month FROM t) AS m, extract(isodow FROM t) AS d FROM (SELECT '2024-12-29T10:00:00Z'::timestamp AS t) a",
      [{ q: 4, m: 12, d: 7 }],
    ],
    [
      "SELECT extract(year FROM opened_at) AS y, extract(dow FROM opened_at) AS d, extract(week FROM opened_at) AS w, extract(doy FROM opened_at) AS n, date_part('second', opened_at) AS s, extract(epoch FROM opened_at) AS e FROM events WHERE id = 'b'",
      [{ y: 2024, d: 3, w: 5, n: 31, s: 59.5, e: 1706745599.5 }],
    ],
    [
      "SELECT opened_at + interval '1 day' AS t, opened_at::date AS d, opened_at::text AS x, closed_at - opened_at AS i, extract(epoch FROM closed_at - opened_at) / 3600 AS h, now() > opened_at AS n FROM events WHERE id = 'a'",
      [{ t: "2024-01-02T10:00:00Z", d: "2024-01-01T00:00:00Z", x: "2024-01-01T10:00:00Z", i: 172_800, h: 48, n: true }],
    ],
  ],
};

/** Statements over the hits of a search by meaning. */
export const hitStatements = {
  joined:
    "SELECT s.key, s.score, s.context, e.size FROM semantic_search(entity => 'events', prompt => 'x') AS s LEFT JOIN events e ON e.key = s.key ORDER BY s.score DESC",
  grouped:
    "SELECT upper(s.context) AS c, count(*) AS n FROM semantic_search(entity => 'events', prompt => 'x') AS s (k) GROUP BY upper(s.context)",
} as const;
