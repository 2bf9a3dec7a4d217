import { Writable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openProgressBar } from "../../../runtime/cli/output/progress-bar.ts";

/** A terminal that remembers what was written to it. */
function terminal(isTTY = true, columns = 80) {
  let text = "";
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { out: Object.assign(stream, { isTTY, columns }), text: () => text };
}

/** What stands in the last line: the cursor goes to its beginning with `ESC[1G`, and `ESC[2K` and `ESC[0K` erase it. */
const lastLine = (text: string) =>
  (text.split("\n").at(-1) ?? "").split("\u001b[2K").at(-1)?.split("\u001b[1G").at(-1)?.replace("\u001b[0K", "");

const half = { text: "100 of 200 records", done: 100, total: 200 };

describe("a progress bar", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("appears after a second, grows, steps aside for a line, and is gone at the end", async () => {
    const { out, text } = terminal();
    const bar = await openProgressBar(out, {});
    bar.show(half);
    vi.advanceTimersByTime(999);
    bar.show(half);
    expect(text()).toBe("");
    vi.advanceTimersByTime(1);
    expect(lastLine(text())).toBe(`  ${"█".repeat(10)}${"░".repeat(10)} 50 %  100 of 200 records`);
    bar.show({ text: "150 of 200 records", done: 150, total: 200 });
    vi.advanceTimersByTime(200);
    expect(lastLine(text())).toBe(`  ${"█".repeat(15)}${"░".repeat(5)} 75 %  150 of 200 records`);
    let during: string | undefined;
    bar.aside(() => {
      during = lastLine(text());
      out.write("✓ issues\n");
    });
    expect(during).toBe("");
    expect(lastLine(text())).toMatch(/75 % {2}150 of 200 records$/);
    bar.end();
    expect(lastLine(text())).toBe("");
    const all = text();
    vi.advanceTimersByTime(5000);
    expect(text()).toBe(all);
  });

  it("has only visible characters, on one line", async () => {
    const { out, text } = terminal();
    const bar = await openProgressBar(out, {});
    bar.show({ text: "a\u001b]0;title\u0007b\u009b31m\u202ec\nd", done: 1 });
    vi.advanceTimersByTime(1000);
    expect(lastLine(text())).toBe("  a]0;titleb31mc d");
    bar.end();
  });

  it("says only the text where it is not known how much there is, and cuts it at the width of the terminal", async () => {
    const { out, text } = terminal(true, 20);
    const bar = await openProgressBar(out, {});
    bar.show(half);
    vi.advanceTimersByTime(1000);
    bar.show({ text: "300 records, 12 records/s", done: 300 });
    vi.advanceTimersByTime(200);
    bar.aside(() => undefined);
    expect(lastLine(text())).toBe("  300 records, 12 re");
    bar.end();
  });

  it("uses no colours and changes no mode of the terminal", async () => {
    const { out, text } = terminal();
    const bar = await openProgressBar(out, { NO_COLOR: "1" });
    bar.show(half);
    vi.advanceTimersByTime(1000);
    bar.end();
    expect(text()).toContain("50 %");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences for terminals begin with this character.
    expect(text()).not.toMatch(/\u001b\[(\d|;)*m|\u001b\[\?/);
  });

  it.each<[string, boolean, Readonly<Record<string, string>>]>([
    ["no terminal", false, { TERM: "xterm" }],
    ["a terminal that cannot move its cursor", true, { TERM: "dumb" }],
  ])("is not shown on %s", async (_title, isTTY, environment) => {
    const { out, text } = terminal(isTTY);
    const bar = await openProgressBar(out, environment);
    bar.show(half);
    vi.advanceTimersByTime(5000);
    const wrote = vi.fn();
    bar.aside(wrote);
    bar.end();
    expect([text(), wrote.mock.calls.length]).toEqual(["", 1]);
  });
});
