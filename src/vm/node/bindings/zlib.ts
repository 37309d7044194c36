import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const zlib = (): Binding => ({ ...staticsOf("zlib") });
