import { lateAll } from "../late.ts";
import type { Binding } from "./base.ts";

export const icu = (): Binding =>
  lateAll(["icuErrName", "hasConverter", "transcode", "getConverter", "decode", "getStringWidth"]);
