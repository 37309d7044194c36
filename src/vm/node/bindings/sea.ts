import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const sea = (): Binding => ({ ...staticsOf("sea") });
