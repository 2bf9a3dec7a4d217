// Generated from spec/notion/connector.yaml by `make generate`. Do not edit.

import type { RecordPlan } from "../../runtime/contract/public.ts";

/** What something is in. */
export interface Parent {
  /** Id of the block. */
  readonly block: string | null;
  /** Id of the data source. */
  readonly dataSource: string | null;
  /** Id of the database. */
  readonly database: string | null;
  /** Id of the page. */
  readonly page: string | null;
  /** `page_id`, `data_source_id`, `database_id`, `block_id` or `workspace`. */
  readonly type: string;
}

export const parentPlan: RecordPlan = {
  name: "Parent",
  fields: {
    block: { read: "block_id" },
    dataSource: { read: "data_source_id" },
    database: { read: "database_id" },
    page: { read: "page_id" },
    type: { read: "type", always: true },
  },
};
