/** How a tool says exactly what its result is, where call-tool.ts would have to guess. */
import type { ToolValue } from "./tool-event.ts";

/** Made by `output()`. */
export class ExactOutput {
  readonly value: ToolValue;

  constructor(value: ToolValue) {
    this.value = value;
  }
}

/**
 * A handler returns it, or yields several: the value goes to the caller as it is, e.g. bytes with their
 * type, or a string that is data rather than text. Limits hold for it as for any result.
 */
export function output(value: ToolValue): ExactOutput {
  return new ExactOutput(value);
}
