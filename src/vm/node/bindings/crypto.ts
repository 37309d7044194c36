import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const crypto = (): Binding => ({ ...staticsOf("crypto") });
