import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const fsEventWrap = (): Binding => ({ ...staticsOf("fs_event_wrap") });
