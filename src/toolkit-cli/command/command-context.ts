import type { Sys } from "../../kernel/index.ts";
import type { ToolkitsDevice } from "./toolkits-device.ts";

/** What every part of one run has. */
export interface CommandContext {
  readonly sys: Sys;
  readonly device: ToolkitsDevice;
  /** The command's name without its path: `agentos-project`. */
  readonly name: string;
}
