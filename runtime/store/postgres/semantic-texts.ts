import type { Queries } from "../../postgres/index.ts";
import type { EntityId } from "../catalogue.ts";
import type { Layout } from "./layout.ts";
import type { Target } from "./records.ts";
import type { Row } from "./rows.ts";
export async function prepareSemantic(_q: Queries, _e: EntityId, _l: Layout, _keep: boolean): Promise<void> {}
export async function queueTexts(_q: Queries, _t: Target, _rows: readonly Row[]): Promise<void> {}
