import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  compareRecords,
  compareTexts,
  fold,
  interpretQuery,
  keyText,
  likePattern,
  likeTest,
  positionOf,
  type RecordObject,
  readCursor,
  wordFinder,
  wordsOf,
  writeCursor,
} from "../../runtime/search/index.ts";
import { anyCharacter } from "../support/any-character.ts";
import { readQuery, searchOperands, searchQueries, searchTests } from "../support/search-arbitraries.ts";
import { longText, searchPlan, searchRecords, shortText } from "../support/search-records.ts";

const [records = []] = fc.sample(searchRecords(120), { numRuns: 1, seed: 1 });
const queries = searchQueries(records);
const tests = searchTests(records);
const operands = searchOperands(records);

/** What a filter finds. */
const found = (filter: object) => interpretQuery(records, readQuery({ filter, sort: [], limit: 1000 }), searchPlan).records;

function same(one: object, other: object): void {
  expect(found(one).map((record) => keyText(searchPlan, record))).toEqual(
    found(other).map((record) => keyText(searchPlan, record)),
  );
}

describe("conditions", () => {
  it("negated twice keep their meaning", () => {
    fc.assert(
      fc.property(tests, (a) => same({ not: { not: a } }, a)),
      { numRuns: 300 },
    );
  });

  it("negated find exactly the other records", () => {
    fc.assert(
      fc.property(tests, (a) => {
        const [some, others] = [new Set(found(a)), new Set(found({ not: a }))];
        expect(records.every((record) => some.has(record) !== others.has(record))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("obey De Morgan", () => {
    fc.assert(
      fc.property(fc.array(tests, { minLength: 1, maxLength: 4 }), (some) => {
        const turned = some.map((one) => ({ not: one }));
        same({ not: { and: some } }, { or: turned });
        same({ not: { or: some } }, { and: turned });
      }),
      { numRuns: 200 },
    );
  });

  it("may come in any order and more than once", () => {
    fc.assert(
      fc.property(tests, tests, tests, (a, b, c) => {
        same({ and: [a, b, c] }, { and: [c, { and: [b, a] }, b] });
        same({ or: [a, b, c] }, { or: [{ or: [c, b] }, a, a] });
        same({ and: [a, { or: [b, c] }] }, { or: [{ and: [a, b] }, { and: [a, c] }] });
      }),
      { numRuns: 200 },
    );
  });

  it("in one object, and fields under one operator, are joined by and", () => {
    fc.assert(
      fc.property(operands, operands, ({ field, value }, other) => {
        fc.pre(field !== other.field);
        const apart = { and: [{ eq: { [field]: value } }, { neq: { [other.field]: other.value } }] };
        same({ eq: { [field]: value }, neq: { [other.field]: other.value } }, apart);
        same(
          { neq: { [field]: value, [other.field]: other.value } },
          { and: [{ neq: { [field]: value } }, { neq: { [other.field]: other.value } }] },
        );
      }),
      { numRuns: 200 },
    );
  });

  it("of equality say the same in every way", () => {
    fc.assert(
      fc.property(operands, operands, ({ field, value }, { value: another }) => {
        same({ in: { [field]: [value] } }, { eq: { [field]: value } });
        same({ neq: { [field]: value } }, { not: { eq: { [field]: value } } });
        same({ in: { [field]: [value, null] } }, { or: [{ eq: { [field]: value } }, { eq: { [field]: null } }] });
        if (typeof another !== "string" || searchPlan.fields[field]?.type !== "string") return;
        same({ in: { [field]: [value, another] } }, { or: [{ eq: { [field]: value } }, { eq: { [field]: another } }] });
      }),
      { numRuns: 300 },
    );
  });

  it("of order split what has a value", () => {
    fc.assert(
      fc.property(
        operands.filter(({ ordered }) => ordered),
        ({ field, value }) => {
          const is = (operator: string) => ({ [operator]: { [field]: value } });
          const present = { neq: { [field]: null } };
          same(is("gt"), { and: [{ not: is("lte") }, present] });
          same(is("lt"), { and: [{ not: is("gte") }, present] });
          same(is("gte"), { or: [is("gt"), is("eq")] });
          same(is("lte"), { or: [is("lt"), is("eq")] });
          same({ and: [is("gte"), is("lte")] }, is("eq"));
        },
      ),
      { numRuns: 300 },
    );
  });

  it("of texts imply each other: a whole word is found by fuzzy too", () => {
    fc.assert(
      fc.property(fc.constantFrom("title", "body", "bodyText"), shortText, (field, text) => {
        const [only, ...others] = wordsOf(text.toWellFormed());
        fc.pre(only !== undefined && others.length === 0);
        const wider = new Set(found({ fuzzy: { [field]: only } }));
        expect(found({ keyword: { [field]: only } }).every((one) => wider.has(one))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("queries", () => {
  it("are often neither empty nor everything, and deep ones are among them", () => {
    const some = fc.sample(queries, { numRuns: 1000, seed: 2 });
    const counts = some.flatMap(({ filter }) => (filter === undefined ? [] : [found(filter).length]));
    expect(counts.filter((count) => count > 0 && count < records.length).length).toBeGreaterThan(counts.length / 2);
    expect(some.some((query) => JSON.stringify(query).split(/"(?:not|and|or)"/).length > 9)).toBe(true);
  });

  it("are walked by cursor as in one page", () => {
    fc.assert(
      fc.property(queries, (given) => {
        const query = readQuery(given);
        const whole = interpretQuery(records, { ...query, limit: 1000 }, searchPlan);
        expect(whole.more).toBe(false);
        const walked: RecordObject[] = [];
        for (let page = query; ; ) {
          const { records: some, more } = interpretQuery(records, page, searchPlan);
          walked.push(...some);
          expect(more).toBe(walked.length < whole.records.length);
          const last = some.at(-1);
          if (!more || last === undefined) break;
          const cursor = writeCursor("records", query, positionOf(last, query.sort, searchPlan));
          const after = readCursor("records", query, searchPlan, cursor);
          if (after === undefined) throw new Error("the cursor is not read again");
          page = { ...query, after };
        }
        expect(walked).toEqual(whole.records);
      }),
      { numRuns: 200 },
    );
  });

  it("neither repeat nor skip unchanged records while others come and go", () => {
    fc.assert(
      fc.property(queries, fc.array(fc.boolean(), { minLength: 120, maxLength: 120 }), (given, stays) => {
        const query = readQuery(given);
        const still = new Set(records.filter((_, index) => stays[index]));
        const first = interpretQuery(records, query, searchPlan);
        const last = first.records.at(-1);
        fc.pre(last !== undefined);
        const after = positionOf(last, query.sort, searchPlan);
        const others = interpretQuery([...still], { ...query, limit: 1000, after }, searchPlan);
        const walked = [...first.records, ...others.records].filter((one) => still.has(one));
        expect(walked).toEqual(interpretQuery([...still], { ...query, limit: 1000 }, searchPlan).records);
      }),
      { numRuns: 200 },
    );
  });

  it("have the same answer in whatever order the records are kept", () => {
    fc.assert(
      fc.property(queries, fc.shuffledSubarray(records, { minLength: records.length }), (given, shuffled) => {
        const query = readQuery(given);
        expect(interpretQuery(shuffled, query, searchPlan)).toEqual(interpretQuery(records, query, searchPlan));
      }),
      { numRuns: 100 },
    );
  });

  it("are ordered totally", () => {
    const one = fc.constantFrom(...records);
    fc.assert(
      fc.property(queries, one, one, one, ({ sort }, a, b, c) => {
        const { sort: keys } = readQuery({ sort, limit: 1 });
        const compare = compareRecords(keys, searchPlan);
        expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0);
        expect(compare(a, b) === 0).toBe(a === b);
        if (compare(a, b) < 0 && compare(b, c) < 0) expect(compare(a, c)).toBeLessThan(0);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("comparing texts", () => {
  it("is by code point", () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 6 });
    fc.assert(
      fc.property(text, text, text, (start, one, other) => {
        const [a, b] = [start + one, start + other];
        // UTF-8 is ordered by code point.
        expect(Math.sign(compareTexts(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("like", () => {
  const piece = fc.constantFrom(
    "a",
    "b",
    "A",
    "\u00e9",
    "e\u0301",
    "\u03a3",
    "\u03c2",
    "\u0130",
    "\ud83d\ude00",
    "\ud801\udc00",
    "\n",
    "\u0000",
    ".",
    "%",
    "_",
    "\\",
    "$",
  );
  const value = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(""));
  const wild = fc.array(fc.oneof(fc.constantFrom("%", "%", "_", "a", "b", "\\%", "\\_", "\\\\"), piece), { maxLength: 7 });
  const pattern = wild.map((pieces) => pieces.join(""));

  /** The meaning in the simplest way: a regular expression over folded text. */
  function expression(text: string): RegExp {
    const points = [...fold(text)];
    let source = "";
    for (let at = 0; at < points.length; at++) {
      const point = points[at] ?? "";
      const taken = point === "\\" ? (points[++at] ?? point) : point;
      source += point === "%" ? ".*" : point === "_" ? "." : `\\u{${taken.codePointAt(0)?.toString(16)}}`;
    }
    return new RegExp(`^${source}$`, "su");
  }

  it("agrees with a regular expression", () => {
    fc.assert(
      fc.property(pattern, value, (text, given) => {
        expect(likeTest(likePattern(text))(given)).toBe(expression(text).test(fold(given)));
      }),
      { numRuns: 20_000 },
    );
  });

  it("agrees with a regular expression where a part of the value is the pattern", () => {
    const cut = fc.tuple(value, fc.nat(8), fc.nat(4), fc.constantFrom("%", "_", "%_", "%a%", ""), fc.boolean());
    fc.assert(
      fc.property(cut, ([given, at, length, by, open]) => {
        const points = [...given];
        const text = `${open ? "%" : ""}${points.toSpliced(at, length, by).join("")}${open ? "%" : ""}`;
        expect(likeTest(likePattern(text))(given)).toBe(expression(text).test(fold(given)));
      }),
      { numRuns: 20_000 },
    );
  });

  it("agrees with a regular expression in long parts", () => {
    const texts = fc.array(fc.constantFrom<string>("a", "a", "a", "b", "\ud83d\ude00"), {
      minLength: 1,
      maxLength: 200,
      size: "max",
    });
    fc.assert(
      fc.property(
        texts,
        fc.boolean(),
        fc.nat(150),
        fc.nat(150),
        fc.array(fc.nat(150)),
        fc.nat(150),
        (all, plain, from, length, ones, at) => {
          const points = plain ? all.map((point) => (point.length > 1 ? "c" : point)) : all;
          const part = points.slice(from % points.length).slice(0, length + 1);
          for (const one of ones) part[one % part.length] = "_";
          // As it is, and with one letter that may be wrong.
          for (const text of [part, part.with(at % part.length, "b")].map((some) => `%${some.join("")}%`))
            expect(likeTest(likePattern(text))(points.join(""))).toBe(expression(text).test(points.join("")));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("finds every text by itself, escaped", () => {
    const escaped = (text: string) => text.replace(/[%_\\]/g, "\\$&");
    fc.assert(
      fc.property(shortText, fc.boolean(), (given, large) => {
        const text = given.toWellFormed();
        expect(likeTest(likePattern(escaped(text)))(text)).toBe(true);
        expect(likeTest(likePattern(`%${escaped(text)}%`))(large ? `x${text}x` : text)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("words", () => {
  const half = fc.constantFrom("\ud83d", "\ude00", "");

  it("are found at their position among all words", () => {
    fc.assert(
      fc.property(shortText, half, shortText, longText, (operand, middle, start, end) => {
        const [wanted, value] = [wordsOf(operand), start + middle + end];
        const all = new Set(wordsOf(value));
        expect(wordFinder(wanted)(value)).toBe(wanted.some((one) => all.has(one)));
      }),
      { numRuns: 2000 },
    );
  });

  it("are all found in their own text, and none is found in another by a part", () => {
    fc.assert(
      fc.property(longText, (value) => {
        const all = wordsOf(value);
        for (const one of new Set(all)) {
          expect(wordFinder([one])(value)).toBe(true);
          const [shorter] = wordsOf([...one].slice(0, -1).join(""));
          if (shorter !== undefined) expect(wordFinder([shorter])(value)).toBe(all.includes(shorter));
        }
      }),
      { numRuns: 200 },
    );
  });

  it("are the same in every form of normalisation and in every case that leads back", () => {
    fc.assert(
      fc.property(shortText, (given) => {
        const text = given.toWellFormed();
        expect(wordsOf(text.normalize("NFD"))).toEqual(wordsOf(text));
        expect(wordsOf(text.toLowerCase())).toEqual(wordsOf(text));
        expect(wordsOf(wordsOf(text).join(" "))).toEqual(wordsOf(text));
        for (const one of wordsOf(text)) expect(one.normalize("NFC")).toBe(one);
      }),
      { numRuns: 2000 },
    );
  });
});
