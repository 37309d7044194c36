import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const jsStream = (): Binding => ({ ...staticsOf("js_stream") });
