import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const processWrap = (): Binding => ({ ...staticsOf("process_wrap") });
