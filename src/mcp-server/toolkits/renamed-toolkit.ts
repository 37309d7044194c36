import type { Exposure, Toolkit } from "../../toolkit-cli/index.ts";

/** A toolkit under another name; all else is its own. */
export function withName(
  toolkit: Toolkit,
  name: string,
  expose: Exposure = toolkit.expose,
): Toolkit {
  return {
    name,
    get description() {
      return toolkit.description;
    },
    expose,
    tools: (signal) => toolkit.tools(signal),
    onChange: (listener) => toolkit.onChange?.(listener) ?? (() => undefined),
    close: async () => await toolkit.close?.(),
  };
}
