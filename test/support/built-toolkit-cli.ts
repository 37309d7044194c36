// How toolkits are made, as it ships: dist, which runs the tools, does not know a ToolError of src.

import type * as Library from "../../src/toolkit-cli/index.ts";
import { distUrl } from "./dist.ts";

/** The library, compiled. */
export const builtToolkits: typeof Library = await import(distUrl("toolkit-cli/index.js"));
