import { invalidRequest } from "../base/errors.ts";
import { resultOf } from "./result.ts";
import { namedInstance, refuseFaults } from "./target.ts";
import { endOf } from "./task.ts";
import { connector, object, pick, type Tool } from "./tool.ts";

const texts = { type: "array", items: { type: "string" } };

export const syncTool: Tool = {
  name: "sync",
  title: "Fill the cache",
  description:
    "Reads records into the cache that search uses. Returns a task at once; call it again with the task until it ends.",
  input: object(
    {
      connector,
      scopes: { ...texts, description: "Such as repository=owner/name." },
      entities: texts,
      task: { type: "string" },
    },
    [],
  ),
  readOnly: true,
  syncs: true,
  run: async (call) => {
    const { args, host, faults } = call;
    const { task: given, ...others } = args;
    if (given !== undefined) {
      faults.unknownNames([], "not_allowed", others, [], (name) => `${name} and task exclude each other.`);
      refuseFaults(call);
      const task = await host.tasks?.find(String(given));
      if (task === undefined) {
        const message = "There is no such task, or it is forgotten. Start another sync.";
        throw invalidRequest([{ pointer: "/task", code: "unknown_task", message }]);
      }
      return task.status === "completed" ? endOf(host, task) : resultOf({ status: task.status, message: task.message });
    }
    const instance = await namedInstance(call);
    refuseFaults(call);
    const task = await host.tasks?.sync?.(instance?.id ?? "", pick(args, ["scopes", "entities"]));
    const next = `Call sync with ${JSON.stringify({ task })} to see how far it is.`;
    return { ...resultOf({ status: "working", task, next }), ...(task === undefined ? {} : { task }) };
  },
};
