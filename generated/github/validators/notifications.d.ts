// Generated from spec/github/notifications.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const getParams: Validator;
export const listParams: Validator;
export const markDoneActionParams: Validator;
export const markReadActionParams: Validator;
