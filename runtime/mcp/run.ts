import { Faults } from "../base/faults.ts";
import { checkArguments } from "./arguments.ts";
import type { ToolResult } from "./result.ts";
import type { ToolRun } from "./target.ts";
import type { Tool } from "./tool.ts";

/** Checks the arguments of a tool and runs it. @throws TenonError with all faults of the arguments, and what the action throws */
export function runChecked({ input, run }: Pick<Tool, "input" | "run">, call: Omit<ToolRun, "faults">): Promise<ToolResult> {
  const faults = new Faults();
  checkArguments(input, call.args, faults);
  return run({ ...call, faults });
}
