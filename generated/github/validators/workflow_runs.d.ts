// Generated from spec/github/workflow_runs.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const getParams: Validator;
export const listParams: Validator;
export const cancelActionParams: Validator;
export const logsActionParams: Validator;
export const rerunActionParams: Validator;
export const rerunFailedActionParams: Validator;
