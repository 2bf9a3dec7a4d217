import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLog, flushed, standardOutput } from "../../../runtime/base/log.ts";

const withFile = async (test: (fd: number, text: () => string) => Promise<void>) => {
  const folder = mkdtempSync(join(tmpdir(), "tenon-log-"));
  const path = join(folder, "log");
  const fd = openSync(path, "w");
  try {
    await test(fd, () => readFileSync(path, "utf8"));
  } finally {
    // The descriptor stays open: the sink flushes now and then, and its number could by then be another file's.
    rmSync(folder, { recursive: true, force: true });
  }
};

describe("the log", () => {
  it("has only visible characters, and no secret that was hidden with others", () => {
    const lines: string[] = [];
    const redact = (text: string) => text.replaceAll("secret-1", "[redacted]");
    createLog("info", redact, { write: (line) => lines.push(line) }).warn({ name: "a\u202Eb\u009b" }, "sec\u200Bret-1");
    expect(JSON.parse(lines.join(""))).toMatchObject({ name: "ab", msg: "[redacted]" });
    expect(lines.join("").endsWith("}\n")).toBe(true);
  });

  it("is written to its last line, even when a write is under way", () =>
    withFile(async (fd, text) => {
      const sink = standardOutput(fd);
      sink.write("first\n");
      const first = flushed(sink);
      sink.write("last\n");
      await flushed(sink);
      expect(text()).toBe("first\nlast\n");
      await first;
    }));

  it.each([1, 100, 4095, 4096, 5000, 16_000, 17_000, 100_000])(
    "is written to its last line with lines of %i characters",
    (length) =>
      withFile(async (fd, text) => {
        const sink = standardOutput(fd);
        const line = (letter: string) => `${letter.repeat(length - 1)}\n`;
        let written = "";
        for (let round = 0; round < 3; round++) {
          for (const letter of ["a", "b", "c", "d", "e"]) {
            sink.write(line(letter));
            written += line(letter);
          }
          await flushed(sink);
          expect(text().length).toBe(written.length);
        }
        expect(text()).toBe(written);
      }),
  );
});
