import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

/** No program of a VM is a single executable application. */
export const sea = (): Binding => ({
  ...staticsOf("sea"),
  isSea: () => false,
  isVfsEnabled: () => false,
  isExperimentalSeaWarningNeeded: () => false,
  getAsset: () => undefined,
  getAssetKeys: () => [],
});
