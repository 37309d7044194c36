// How toolkits are made, as it ships: a ToolError of src is none to the dist that runs the tools.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Library from "../../src/toolkit-cli/index.ts";

const file = pathToFileURL(resolve(import.meta.dirname, "../../dist/toolkit-cli/index.js")).href;

/** The library, compiled. */
export const builtToolkits: typeof Library = await import(file);
