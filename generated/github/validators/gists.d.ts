// Generated from spec/github/gists.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const getParams: Validator;
export const listParams: Validator;
export const createParams: Validator;
export const updateParams: Validator;
export const deleteActionParams: Validator;
