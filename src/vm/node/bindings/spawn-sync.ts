import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

export const spawnSync = (): Binding => ({ ...staticsOf("spawn_sync") });
