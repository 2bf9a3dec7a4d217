import { tableOf } from "../../../runtime/contract/index.ts";

/** The table of the statements in the tests of this folder. */
export const things = tableOf("things", {
  fields: {
    id: { type: "string", index: "exact" },
    title: { type: "string", index: "name" },
    size: { type: "integer", index: "exact" },
    done: { type: "boolean", index: "exact" },
    labels: { type: "string", list: {}, index: "exact" },
  },
});
