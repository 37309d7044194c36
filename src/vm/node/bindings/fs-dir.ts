import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const fsDir = (): Binding => ({ ...staticsOf("fs_dir") });
