// The library as it ships: tests of VMs run against dist, which globalSetup has brought up to date.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Library from "../../src/vm/index.ts";

const file = pathToFileURL(resolve(import.meta.dirname, "../../dist/vm/index.js")).href;

/** The library, compiled. */
export const built: typeof Library = await import(file);
