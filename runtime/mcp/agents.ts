import type { ToolHost } from "./host.ts";
import { callTool } from "./server.ts";
import type { Schema, Tool } from "./tool.ts";
import { toolsOf } from "./tools.ts";

// The same tools for frameworks of agents that do not speak the Model Context Protocol.

/** Tools that can be called by their names. */
export interface Toolbox {
  readonly tools: readonly Tool[];
  /** Gives the text for the model: the answer, or the error with what to do about it. */
  call(name: string, args: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<string>;
}

/** The tools that a host has. */
export async function toolboxOf(host: ToolHost): Promise<Toolbox> {
  const tools = await toolsOf(host);
  return {
    tools,
    call: async (name, args, signal) => {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new Error(`There is no tool "${name}"; there is ${tools.map((one) => one.name).join(", ")}.`);
      const { content } = await callTool(tool, host, args, signal);
      return content.map((part) => (part.type === "text" ? part.text : "")).join("");
    },
  };
}

/** Definitions for `tools` of the Messages API of Anthropic. */
export function anthropicTools({ tools }: Toolbox) {
  return tools.map(({ name, description, input }) => ({
    name,
    description,
    input_schema: { ...input, type: "object" as const },
  }));
}

/** Definitions for `tools` of the Chat Completions API of OpenAI. */
export function openaiTools({ tools }: Toolbox) {
  return tools.map(({ name, description, input }) => ({
    type: "function" as const,
    function: { name, description, parameters: { ...input } },
  }));
}

/**
 * Tools for `generateText` and `streamText` of the Vercel AI SDK.
 *
 * @param jsonSchema the function of this name of the package `ai`
 */
export function aiSdkTools<Made>({ tools, call }: Toolbox, jsonSchema: (schema: Schema) => Made) {
  return Object.fromEntries(
    tools.map(({ name, description, input }) => [
      name,
      {
        description,
        inputSchema: jsonSchema(input),
        execute: (args: Readonly<Record<string, unknown>>, options?: { readonly abortSignal?: AbortSignal }) =>
          call(name, args, options?.abortSignal),
      },
    ]),
  );
}
