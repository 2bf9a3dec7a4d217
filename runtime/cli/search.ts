import { storeAction } from "../contract/index.ts";
import { CommandError } from "./command-error.ts";
import { exitStatus } from "./exit-status.ts";
import { names, readJson, wholeNumber } from "./params.ts";
import { runRequest } from "./request.ts";
import type { SearchFlags } from "./search-flags.ts";

/** `tenon search`: searches the records that a sync has stored. */
export async function run([connector = "", entity = ""]: readonly string[], flags: SearchFlags): Promise<number> {
  const { filter, semantic, count } = flags;
  const conditions = filter === undefined ? {} : { filter: await readJson(filter, "--filter") };
  const sort = flags.sort.map((one) => {
    const [field = "", direction = "asc"] = one.split(":");
    return { [field]: direction };
  });
  const groupBy = names(flags["group-by"]);
  const limit = wholeNumber(flags.limit, "limit");
  if (semantic !== undefined && (sort.length > 0 || groupBy.length > 0 || count))
    throw new CommandError("--semantic stands with --filter, --limit and --fields only", exitStatus.usage);
  const params = {
    ...(semantic === undefined
      ? { query: { ...conditions, ...(sort.length === 0 ? {} : { sort }) } }
      : { semantic: { field: "body", prompt: semantic, ...conditions } }),
    ...(groupBy.length === 0 ? {} : { groupBy }),
    ...(count ? { count } : {}),
    ...(limit === undefined ? {} : { limit }),
  };
  return runRequest({ connector, entity, action: storeAction, params }, flags);
}
