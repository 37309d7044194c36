import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const signalWrap = (): Binding => ({ ...staticsOf("signal_wrap") });
