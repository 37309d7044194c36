import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const udpWrap = (): Binding => ({ ...staticsOf("udp_wrap") });
