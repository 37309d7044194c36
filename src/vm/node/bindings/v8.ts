import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const v8 = (): Binding => ({ ...staticsOf("v8") });
