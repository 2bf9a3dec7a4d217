import { serveCalls } from "../../base/serve-calls.ts";
import { openWriter, type WriterApi } from "./writer.ts";

serveCalls<WriterApi, { readonly file: string }>(({ file }) => openWriter(file));
