import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const caresWrap = (): Binding => ({ ...staticsOf("cares_wrap") });
