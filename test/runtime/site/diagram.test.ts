import { expect, it } from "vitest";
import { stateDiagram } from "../../../runtime/site/diagram.ts";

it("draws arrows forward above the states and backward below them, each to the nearer half of a state", () => {
  const svg = stateDiagram([
    { from: "open", to: "closed", label: "close" },
    { from: "closed", to: "open", label: "reopen" },
  ]);
  const boxes = [...svg.matchAll(/<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g)].map((one) =>
    one.slice(1).map(Number),
  );
  const [[left = 0, top = 0, width = 0, height = 0] = [], [right = 0] = []] = boxes;
  const arrows = [...svg.matchAll(/class="arrow" d="M([\d.]+) ([\d.]+)C[^"]* ([\d.]+) ([\d.]+)"/g)].map((one) =>
    one.slice(1).map(Number),
  );
  const [start = 0, , end = 0] = arrows[0] ?? [];
  expect(left + width / 2 < start && start < left + width && right < end && end < right + width / 2).toBe(true);
  expect(arrows).toEqual([
    [start, top, end, top],
    [end, top + height, start, top + height],
  ]);
});
