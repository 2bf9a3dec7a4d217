/** The simulated platform must be as strict as the real one: its cases, by what they are about. */
import "./platform/cases/access.ts";
import "./platform/cases/data-set.ts";
import "./platform/cases/fault.ts";
import "./platform/cases/read.ts";
import "./platform/cases/refusal.ts";
import "./platform/cases/search.ts";
import "./platform/cases/start.ts";
import "./platform/cases/write-issue.ts";
import "./platform/cases/write-thread.ts";
