import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const blockList = (): Binding => ({ ...staticsOf("block_list") });
