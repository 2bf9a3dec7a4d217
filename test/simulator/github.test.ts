/** The simulated GitHub must be as strict as the real one: its cases, by what they are about. */
import "./cases/access.ts";
import "./cases/data-set.ts";
import "./cases/described.ts";
import "./cases/fault.ts";
import "./cases/grants.ts";
import "./cases/read.ts";
import "./cases/refusal.ts";
import "./cases/search.ts";
import "./cases/start.ts";
import "./cases/write-issue.ts";
import "./cases/write-thread.ts";
