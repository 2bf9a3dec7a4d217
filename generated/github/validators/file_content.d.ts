// Generated from spec/github/file_content.yaml by `make generate`. Do not edit.
import type { Validator } from "../../../runtime/contract/public.ts";
export const getParams: Validator;
export const putActionParams: Validator;
