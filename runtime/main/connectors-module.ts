import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** Variable that names a module with further connectors. The table of settings cannot have it, because its checks need the connectors. */
export const connectorsVariable = "TENON_CONNECTORS";

/**
 * The absolute path of the module with connectors of the user's own: the one that TENON_CONNECTORS names, or else `generated/index.ts` of
 * the project in whose node_modules this program is. The folder in which a command runs does not count: it may be a stranger's.
 *
 * @param program folder of a file of this program
 */
export function connectorsModule(program: string = import.meta.dirname): string | undefined {
  const named = process.env[connectorsVariable];
  if (named) return resolve(named);
  const project = /^(.*)[\\/]node_modules[\\/]tenon[\\/]/.exec(program)?.[1];
  const module = project === undefined ? undefined : join(project, "generated/index.ts");
  // Other generators write a file of this name too.
  const isOurs = (path: string) =>
    /^\/\/ Generated from spec\/[\s\S]*\nexport const connectors\b/.test(readFileSync(path, "utf8"));
  return module !== undefined && existsSync(module) && isOurs(module) ? module : undefined;
}
