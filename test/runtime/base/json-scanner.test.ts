import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonScanner } from "../../../runtime/base/json-scanner.ts";
import { requestLimits } from "../../../runtime/base/request-limits.ts";

/** Scans a text in pieces of so many bytes. */
function scan(text: string, size = text.length * 3): void {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner("The body");
  for (let at = 0; at < bytes.length; at += size) scanner.scan(bytes.subarray(at, at + size));
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const list = (count: number) => `[${Array.from({ length: count }, () => "0").join()}]`;

describe("a JSON text that comes in", () => {
  it("passes when it has no member twice, however it is cut", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 20 }), (value, size) => {
        for (const text of [JSON.stringify(value), JSON.stringify(value, undefined, 2)]) scan(text, size);
      }),
    );
  });

  it.each([1, 2, 3, 1000])("may be as deep as the limit and not deeper, in pieces of %i bytes", (size) => {
    const { depth } = requestLimits;
    scan(nested(depth), size);
    expect(() => scan(nested(depth + 1), size)).toThrow(
      expect.objectContaining({ code: "invalid_request", message: expect.stringContaining(`up to ${depth} deep`) as string }),
    );
    scan(`"${"[".repeat(100)}"`, size);
  });

  it("may have as many values as the limit and not more", () => {
    const { values } = requestLimits;
    // The list itself is a value too.
    scan(list(values - 1));
    const tooMany = expect.objectContaining({ code: "body_too_large", message: "The body has more than 20,000 values." });
    expect(() => scan(list(values))).toThrow(tooMany);
    const members = Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`a${index}`, {}]));
    expect(() => scan(JSON.stringify(Array.from({ length: 21 }, () => members)))).toThrow(tooMany);
    scan(JSON.stringify(",".repeat(values)));
  });

  it("may have objects of as many members as the limit and not more", () => {
    const object = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [index, 0])));
    const { members } = requestLimits;
    scan(`[${object(members)},${object(members)}]`);
    expect(() => scan(object(members + 1))).toThrow(
      expect.objectContaining({ code: "body_too_large", message: "The body has an object of more than 1,000 members." }),
    );
  });

  it("ends at the first value too many, although the rest is not there yet", () => {
    const scanner = new JsonScanner("The body");
    expect(() => scanner.scan(Buffer.from(`[${"0,".repeat(requestLimits.values)}`))).toThrow("more than");
  });

  it.each([
    ['{"a":1,"a":1}', "/a"],
    ['{"a":{"b":[0,{"c":1,"d":2,"c":3}]}}', "/a/b/1/c"],
    ['{ "a" : [ ] , "b" : { } , "a" : null }', "/a"],
    [String.raw`{"é":1,"\u00e9":2}`, "/é"],
    [String.raw`{"a\"b":1,"a\u0022b":2}`, '/a"b'],
    ['{"":1,"":2}', "/"],
    ['{"__proto__":1,"__proto__":2}', "/__proto__"],
    ['{"a/b":1,"a/b":2}', "/a~1b"],
  ])("has no member twice: %s", (text, pointer) => {
    for (const size of [1, 2, 5, 1000]) {
      const faults = [expect.objectContaining({ pointer, code: "duplicate_member" })];
      expect(() => scan(text, size)).toThrow(expect.objectContaining({ code: "invalid_json", faults }));
    }
  });

  it.each([['[{"a":1},{"a":1}]'], ['{"a":{"a":{"a":"a"}},"b":"a"}'], [String.raw`{"a\\":1,"a":2}`], ['{"a":"b\\",\\"a\\":1"}']])(
    "may have a name in several objects: %s",
    (text) => scan(text),
  );

  it("that is no JSON is left to the parser", () => {
    for (const text of ["]}],,", '{"a" "b"', "{,,:", '{"\\q":1,"\\q":2}', "nonsense"]) scan(text, 1);
  });
});
