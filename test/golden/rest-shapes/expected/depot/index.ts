// Generated from spec/connector.yaml by `make generate`. Do not edit.

import type { Connector } from "../../runtime/contract/public.ts";
import { entity as doors } from "./doors.ts";
import { facts } from "./facts.ts";
import { entity as parcels } from "./parcels.ts";
import { entity as racks } from "./racks.ts";
import { entity as scans } from "./scans.ts";
import { entity as yards } from "./yards.ts";

/** What only REST platforms need, each once and right. */
export const depot: Connector = {
  ...facts,
  entities: { doors, parcels, racks, scans, yards },
};
