import type { Arm } from "./arm.ts";
import { cliCold, cliWarm } from "./cli-arms.ts";
import { code } from "./code-arm.ts";
import { direct, directNeeded, directSequential, toolSearch } from "./direct-arms.ts";

/** In the order of the report; the first is what the others are compared with. */
export const arms: readonly Arm[] = [
  direct,
  directSequential,
  directNeeded,
  toolSearch,
  cliCold,
  cliWarm,
  code,
];
