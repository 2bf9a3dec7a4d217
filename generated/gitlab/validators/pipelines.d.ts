// Generated from spec/gitlab/pipelines.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const getParams: Validator;
export const listParams: Validator;
export const createParams: Validator;
export const cancelActionParams: Validator;
export const retryActionParams: Validator;
