import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const heapUtils = (): Binding => ({ ...staticsOf("heap_utils") });
