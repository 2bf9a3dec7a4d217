import fc from "fast-check";

/** The halves of pairs, which are no characters. */
const halves = { from: 0xd800, count: 0x800 } as const;

/**
 * Any character of Unicode: the `unit` of a string that may have all of them. It draws what fast-check's own unit `binary` draws, without
 * the table of all characters, which takes a second to make.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff - halves.count).map(
  (place) => String.fromCodePoint(place < halves.from ? place : place + halves.count),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error("this is not one character");
    return code < halves.from ? code : code - halves.count;
  },
);
