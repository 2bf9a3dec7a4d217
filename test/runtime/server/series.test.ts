import { Counter, Gauge, Histogram, Registry as Reference } from "prom-client";
import { describe, expect, it } from "vitest";
import { Registry, textType } from "../../../runtime/server/monitoring/series.ts";

// The text is held to that of the package that most services use for it.

const buckets = [0.1, 1, 5];
/** Values at, between and beyond the bounds of the buckets. */
const times = [0.1, 0.05, 3, 5, 7, 0.1000001];
const strange = 'a "quoted" \\ value\nof two lines';

describe("series", () => {
  it("have the text that prom-client writes", async () => {
    const ours = new Registry();
    const theirs = new Reference();
    const registers = [theirs];
    const seconds = ours.histogram({ name: "seconds", help: "Times.", labels: ["route", "status"] }, buckets);
    const reference = new Histogram({ name: "seconds", help: "Times.", labelNames: ["route", "status"], buckets, registers });
    for (const [at, took] of times.entries()) {
      const labels = { route: at < 3 ? "/a" : strange, status: at % 2 === 0 ? 200 : "none" };
      seconds.of(labels).observe(took);
      reference.observe(labels, took);
    }
    const errors = ours.counter({ name: "errors_total", help: "Errors.", labels: ["code"] });
    const errorsThere = new Counter({ name: "errors_total", help: "Errors.", labelNames: ["code"], registers });
    for (const [code, count] of [["b", 2] as const, ["a", 1] as const, ["b", 3] as const]) {
      errors.add({ code }, count);
      errorsThere.inc({ code }, count);
    }
    ours.counter({ name: "nothing_total", help: "Never seen.", labels: ["code"] });
    new Counter({ name: "nothing_total", help: "Never seen.", labelNames: ["code"], registers });
    ours.gauge({ name: "up", help: "Without labels." });
    new Gauge({ name: "up", help: "Without labels.", registers });
    ours.histogram({ name: "all_seconds", help: "Without labels." }, buckets).of().observe(2);
    new Histogram({ name: "all_seconds", help: "Without labels.", buckets, registers }).observe(2);
    const working = ours.gauge({ name: "working", help: "Read when asked.", collect: () => working.set({}, 7) });
    new Gauge({
      name: "working",
      help: "Read when asked.",
      registers,
      collect() {
        this.set(7);
      },
    });
    expect(ours.text()).toBe(await theirs.metrics());
    expect(textType).toBe(theirs.contentType);
  });

  it("are the same for a number and its text, and begin anew when they were reset", () => {
    const registry = new Registry();
    const counts = registry.counter({ name: "counts", help: "Counts.", labels: ["route", "status"] });
    counts.add({ route: "/a", status: 200 });
    counts.add({ status: "200", route: "/a" });
    counts.add({ route: "/b", status: 200 });
    expect(registry.text().match(/^counts{.*/gm)).toEqual([
      'counts{route="/a",status="200"} 2',
      'counts{route="/b",status="200"} 1',
    ]);
    counts.reset();
    counts.add({ route: "/a", status: 200 });
    expect(registry.text().match(/^counts{.*/gm)).toEqual(['counts{route="/a",status="200"} 1']);
  });

  it("that were reset are gone", () => {
    const registry = new Registry();
    const states = registry.gauge({ name: "states", help: "States.", labels: ["state"] });
    states.set({ state: "ok" }, 1);
    expect(registry.text()).toContain('states{state="ok"} 1');
    states.reset();
    expect(registry.text()).not.toContain("ok");
  });
});
