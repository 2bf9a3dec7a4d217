// Generated from spec/scans.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const listParams: Validator;
export const createParams: Validator;
export const pictureActionParams: Validator;
