// The library as it ships: tests of VMs run against dist.

import type * as Library from "../../src/vm/index.ts";
import { distUrl } from "./dist.ts";

/** The library, compiled. */
export const built: typeof Library = await import(distUrl("vm/index.js"));
