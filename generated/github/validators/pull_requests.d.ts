// Generated from spec/github/pull_requests.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const getParams: Validator;
export const listParams: Validator;
export const apiSearchParams: Validator;
export const createParams: Validator;
export const updateParams: Validator;
export const mergeActionParams: Validator;
export const syncParams: Validator;
