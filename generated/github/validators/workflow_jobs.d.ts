// Generated from spec/github/workflow_jobs.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const getParams: Validator;
export const listParams: Validator;
export const logsActionParams: Validator;
