// Generated from spec/jira/attachments.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const createParams: Validator;
