import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tarOf } from "../../../runtime/cli/spec/tar.ts";

const lengths = { "a/empty": 0, "a/block": 512, "a/more": 513, ü: 3, [`${"f/".repeat(70)}${"n".repeat(100)}`]: 1 };

it("an archive is unpacked by the system's program to the same files", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-tar-"));
  try {
    const files = Object.entries(lengths).map(([path, length]) => ({ path, content: Buffer.alloc(length, "x") }));
    writeFileSync(join(folder, "archive"), tarOf(files));
    execFileSync("tar", ["xf", "archive"], { cwd: folder });
    for (const { path, content } of files) expect(readFileSync(join(folder, path))).toEqual(content);
    const listed = execFileSync("tar", ["tvf", "archive"], { cwd: folder, encoding: "utf8", env: { ...process.env, TZ: "UTC" } });
    expect(listed.trim().split("\n")).toHaveLength(files.length);
    for (const line of listed.trim().split("\n")) expect(line).toMatch(/^-rw-r--r-- .* (1985-10-26|Oct 26 +1985)/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it("a header has its fields where the standard has them, and an archive ends with two empty blocks", () => {
  const archive = tarOf([{ path: `folder/${"n".repeat(98)}`, content: Buffer.from("four") }]);
  const field = (at: number, length: number) => archive.toString("latin1", at, at + length);
  const sum = archive.subarray(0, 512).reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  expect({
    name: field(0, 100),
    mode: field(100, 8),
    owner: field(108, 16),
    size: field(124, 12),
    time: field(136, 12),
    checksum: field(148, 8),
    kind: field(156, 1),
    format: field(257, 8),
    prefix: field(345, 155),
  }).toEqual({
    name: "n".repeat(98).padEnd(100, "\0"),
    mode: "0000644\0",
    owner: "0000000\0".repeat(2),
    size: "00000000004\0",
    time: "03560116604\0",
    checksum: `${sum.toString(8).padStart(6, "0")}\0 `,
    kind: "0",
    format: "ustar\x0000",
    prefix: "folder".padEnd(155, "\0"),
  });
  expect(archive.subarray(512)).toEqual(Buffer.from("four".padEnd(3 * 512, "\0")));
});

it("a path that does not fit into a header is refused, instead of being cut off", () => {
  const archive = (path: string) => () => tarOf([{ path, content: Buffer.alloc(0) }]);
  expect(archive(`${"p".repeat(155)}/${"n".repeat(100)}`)).not.toThrow();
  expect(archive(`${"p".repeat(156)}/${"n".repeat(100)}`)).toThrow("the path is too long for an archive: ppp");
  expect(archive(`p/${"n".repeat(101)}`)).toThrow("the path is too long");
  expect(archive("ü".repeat(51))).toThrow("the path is too long");
});
