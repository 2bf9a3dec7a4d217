import { expect, it } from "vitest";
import { zipOf } from "../../../runtime/cli/mcp/zip.ts";

it("an archive ends with a record of its one part, its files and where they are listed", () => {
  const empty = zipOf({});
  expect(empty.toString("hex")).toBe(`504b0506${"00".repeat(18)}`);
  const archive = zipOf({ "a.txt": "a", "b.txt": "b" });
  const end = archive.subarray(-empty.length);
  const [size, at] = [end.readUInt32LE(12), end.readUInt32LE(16)];
  expect(archive.readUInt32LE(at)).toBe(0x02014b50);
  expect(at + size + end.length).toBe(archive.length);
  expect([4, 6, 8, 10, 20].map((place) => end.readUInt16LE(place))).toEqual([0, 0, 2, 2, 0]);
});
